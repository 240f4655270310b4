package org.lagbench.analysis.summary;

/**
 * A warning about the clocks of a run.
 *
 * @param run the run's name
 * @param sentence one sentence or more
 */
public record ClockMark(String run, String sentence) {}
