package org.lagbench.core.clock;

import java.util.List;
import org.lagbench.core.file.Within;

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

    /**
     * A step of CLOCK_REALTIME.
     *
     * @param atNs when it was detected, on the stepped clock, in ns since the epoch
     * @param sizeNs the size in ns; negative if the clock was set back
     */
    public record ClockStep(@Within(max = Within.LATEST_NS) long atNs, long sizeNs) {
        /**
         * Returns a sentence for the reader of a table.
         *
         * @param clock "The sender's clock"
         */
        public String sentence(String clock) {
            return clock + " was stepped by " + NanosecondsText.signed(sizeNs) + " at " + NanosecondsText.time(atNs)
                    + ": lags before and after it are not comparable; the bound is wider by the step.";
        }
    }
}
