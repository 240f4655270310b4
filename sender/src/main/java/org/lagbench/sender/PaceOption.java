package org.lagbench.sender;

import java.util.Locale;
import org.lagbench.core.experiment.Intervals;
import org.lagbench.core.run.Pace;

/** A pace on the command line: {@code flood}, or a mode and the time between packets, {@code hybrid:125us}. */
final class PaceOption {
    private PaceOption() {}

    /**
     * Reads a pace.
     *
     * @throws IllegalArgumentException if it is none; the message says what is accepted
     */
    static Pace parse(String text) {
        int colon = text.indexOf(':');
        String mode = colon < 0 ? text : text.substring(0, colon);
        for (Pace.Mode candidate : Pace.Mode.values()) {
            boolean needsInterval = candidate != Pace.Mode.FLOOD;
            if (candidate.text().equals(mode.toLowerCase(Locale.ROOT)) && needsInterval == colon >= 0) {
                return new Pace(candidate, needsInterval ? Intervals.parseNs(text.substring(colon + 1)) : 0);
            }
        }
        throw new IllegalArgumentException("--pace \"" + text
                + "\" is not accepted; it takes flood, or sleep, spin or hybrid with the time between packets, such as"
                + " hybrid:125us.");
    }
}
