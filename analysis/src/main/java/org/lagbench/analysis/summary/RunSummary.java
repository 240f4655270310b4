package org.lagbench.analysis.summary;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.LabRecord;
import org.lagbench.core.run.RunRecord;

/**
 * One run of a point.
 *
 * @param name the run's name
 * @param repeat the number of its repeat, from 1
 * @param state its state; complete unless others were requested
 * @param metrics its metrics
 * @param lab the emulated network; null for the machines' own
 */
public record RunSummary(String name, int repeat, RunRecord.State state, Metrics metrics, @Nullable LabRecord lab) {}
