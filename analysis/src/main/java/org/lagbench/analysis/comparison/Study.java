package org.lagbench.analysis.comparison;

import org.lagbench.analysis.forecast.Equivalence;

/**
 * The study of two points that differ in one axis as series: the value of each repeat, in the order of execution.
 *
 * @param comparison of the means
 * @param equivalence of the series, whose pairs are the repeats
 */
public record Study(Comparison comparison, Equivalence equivalence) {
    /**
     * How far from 1 a slope may be: the "engineering tolerances (95%)" of Krintz and Wolski, who state no bound for
     * slopes.
     */
    public static final double SLOPE_TOLERANCE = .05;

    /** Returns whether the slope without outliers is near 1. */
    public boolean isSlopeNearOne() {
        return Math.abs(equivalence.regressionWithoutOutliers().slope() - 1) <= SLOPE_TOLERANCE;
    }
}
