package org.lagbench.cli.sweep;

import java.time.Duration;
import org.lagbench.core.run.ClockPolicy;

/**
 * What the runs of a sweep demand of the clocks.
 *
 * @param policy what the experiment demands
 * @param waitFor how long each run waits for the clocks to come close enough
 * @param acceptUnsynchronized whether runs are made all the same, and marked
 */
public record ClockRequirements(ClockPolicy policy, Duration waitFor, boolean acceptUnsynchronized) {}
