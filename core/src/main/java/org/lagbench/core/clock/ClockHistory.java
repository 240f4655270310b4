package org.lagbench.core.clock;

import java.util.List;

/**
 * The states and steps of one host's clock before, during and after a run.
 *
 * @param states in the order of time
 * @param steps the steps of the clock
 */
public record ClockHistory(List<ClockState> states, List<ClockStep> steps) {
    public ClockHistory {
        states = List.copyOf(states);
        steps = List.copyOf(steps);
    }

    /** Returns the sum of the sizes of all steps, in ns, whatever their direction. */
    public long totalStepNs() {
        return steps.stream().mapToLong(step -> Math.abs(step.sizeNs())).sum();
    }
}
