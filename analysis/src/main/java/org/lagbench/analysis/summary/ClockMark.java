package org.lagbench.analysis.summary;

/**
 * What the reader of a run's lags must know of its clocks.
 *
 * @param run the run's name
 * @param sentence what it is, one sentence or more
 */
public record ClockMark(String run, String sentence) {}
