package org.lagbench.core.clock;

import java.util.List;

/**
 * What was known of one host's clock before, during and after a run.
 *
 * @param states in the order they were asked for
 * @param steps the times that the clock was set
 */
public record ClockHistory(List<ClockState> states, List<ClockStep> steps) {
    public ClockHistory {
        states = List.copyOf(states);
        steps = List.copyOf(steps);
    }

    /** The sizes of all steps together, in ns, whatever their direction. */
    public long totalStepNs() {
        return steps.stream().mapToLong(step -> Math.abs(step.sizeNs())).sum();
    }
}
