package org.lagbench.analysis.summary;

import org.jspecify.annotations.Nullable;

/**
 * A run that is excluded from the pooled metrics.
 *
 * @param name the run's name
 * @param reason why it is excluded, as part of a sentence
 * @param point its point of the experiment; null if unknown
 * @param metrics its metrics; null if its captures cannot be read
 */
public record ExcludedRun(String name, String reason, @Nullable PointKey point, @Nullable Metrics metrics) {}
