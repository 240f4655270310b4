package org.lagbench.analysis.summary;

import java.util.List;

/**
 * One point of the experiment.
 *
 * @param point what its repeats have in common
 * @param pooled what was found of all its runs together
 * @param runs its runs by name, at least one
 */
public record PointSummary(PointKey point, Figures pooled, List<RunSummary> runs) {
    public PointSummary {
        runs = List.copyOf(runs);
    }
}
