package org.lagbench.analysis.summary;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.lab.LabRecord;
import org.lagbench.core.run.RunRecord;

/**
 * One run that went into the figures of its point.
 *
 * @param name the run's name
 * @param repeat which repetition of its point it is, from 1
 * @param state whether it came to its end; others than complete ones are here only if they were asked for
 * @param figures what was found of it
 * @param lab the network it was made over; null for the machines' own
 */
public record RunSummary(String name, int repeat, RunRecord.State state, Figures figures, @Nullable LabRecord lab) {
    /** A run over the machines' own network. */
    public RunSummary(String name, int repeat, RunRecord.State state, Figures figures) {
        this(name, repeat, state, figures, null);
    }
}
