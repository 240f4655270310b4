package org.lagbench.analysis.summary;

/**
 * A warning about a run: its clocks, or the load of its hosts.
 *
 * @param run the run's name, with its load in brackets if that is the reason
 * @param sentence one sentence or more
 */
public record RunMark(String run, String sentence) {}
