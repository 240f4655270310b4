package org.lagbench.sender;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.run.Pace;

/**
 * Parses the option {@code --pace}: {@code flood}, or a mode and the interval of the packets, {@code hybrid:125us}, or
 * of bursts with a number of packets, {@code hybrid:40ms:12}.
 */
final class PaceOption {
    private static final Pattern SCHEDULED = Pattern.compile("([a-z]+):([^:]+)(?::(\\d{1,6}))?");

    private PaceOption() {}

    /**
     * Parses a pace.
     *
     * @throws IllegalArgumentException if it is invalid; the message says what is accepted
     */
    static Pace parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.equals(Pace.Mode.FLOOD.text())) {
            return Pace.flood();
        }
        Matcher scheduled = SCHEDULED.matcher(lower);
        if (scheduled.matches()) {
            for (Pace.Mode mode : Pace.Mode.values()) {
                if (mode != Pace.Mode.FLOOD && mode.text().equals(scheduled.group(1))) {
                    String burst = scheduled.group(3);
                    return new Pace(
                            mode, Intervals.parseNs(scheduled.group(2)), burst == null ? 1 : Integer.parseInt(burst));
                }
            }
        }
        throw new IllegalArgumentException("--pace \"" + text
                + "\" is invalid: use flood, or sleep, spin or hybrid with the interval of packets, such as"
                + " hybrid:125us, or with the interval of bursts and the packets of each, such as hybrid:40ms:12.");
    }
}
