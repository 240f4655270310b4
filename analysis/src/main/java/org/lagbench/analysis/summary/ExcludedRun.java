package org.lagbench.analysis.summary;

import org.jspecify.annotations.Nullable;

/**
 * A run that is in no pooled figure.
 *
 * @param name the run's name
 * @param reason why, as part of a sentence
 * @param point its point of the experiment; null if not known
 * @param figures what was found of it all the same; null if its captures tell nothing
 */
public record ExcludedRun(String name, String reason, @Nullable PointKey point, @Nullable Figures figures) {}
