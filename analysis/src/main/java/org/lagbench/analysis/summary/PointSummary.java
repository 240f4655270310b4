package org.lagbench.analysis.summary;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one point of the experiment.
 *
 * @param point what its repeats have in common
 * @param pooled the metrics of all its runs pooled
 * @param runs its runs by name, at least one
 */
public record PointSummary(PointKey point, Metrics pooled, List<RunSummary> runs) {
    /** Returns the intervals of the runs' medians and quantiles; null if there is one run. */
    public @Nullable RepeatIntervals repeatIntervals() {
        return RepeatIntervals.of(runs);
    }
}
