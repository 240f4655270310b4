package org.lagbench.analysis.comparison;

import org.jspecify.annotations.Nullable;

/**
 * What to compare.
 *
 * @param axis the name of an axis, one of those in {@link org.lagbench.core.yaml.PointAxes}
 * @param baseline the value with which the others are compared; null for the first in the order of tables
 * @param margin the largest difference that is equivalent, as a share: .05 for ratios from 1/1.05 to 1.05
 */
public record Between(String axis, @Nullable String baseline, double margin) {
    /** The default of {@link #margin}. */
    public static final double MARGIN = .05;
}
