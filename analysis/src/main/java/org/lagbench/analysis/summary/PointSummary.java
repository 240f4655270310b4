package org.lagbench.analysis.summary;

import java.util.List;

/**
 * The figures of one point of the experiment.
 *
 * @param point what its repeats have in common
 * @param pooled the figures of all its runs pooled
 * @param runs its runs by name, at least one
 */
public record PointSummary(PointKey point, Figures pooled, List<RunSummary> runs) {
    public PointSummary {
        runs = List.copyOf(runs);
    }
}
