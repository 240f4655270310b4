package org.lagbench.analysis.summary;

import org.lagbench.core.run.RunRecord;

/**
 * One run that went into the figures of its point.
 *
 * @param name the run's name
 * @param repeat which repetition of its point it is, from 1
 * @param state whether it came to its end; others than complete ones are here only if they were asked for
 * @param figures what was found of it
 */
public record RunSummary(String name, int repeat, RunRecord.State state, Figures figures) {}
