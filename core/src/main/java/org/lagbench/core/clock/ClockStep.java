package org.lagbench.core.clock;

import org.lagbench.core.file.Within;

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
