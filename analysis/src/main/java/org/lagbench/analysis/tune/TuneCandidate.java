package org.lagbench.analysis.tune;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One setting of all knobs. Immutable.
 *
 * @param knobs each knob's value as text, in the order of the knobs; none for today's default
 */
public record TuneCandidate(Map<String, String> knobs) {
    /** Today's default: the sockets as they are. */
    public static final TuneCandidate DEFAULT = new TuneCandidate(Map.of());

    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    public TuneCandidate {
        knobs = Collections.unmodifiableMap(new LinkedHashMap<>(knobs));
    }

    /** Returns whether it is today's default. */
    public boolean isDefault() {
        return knobs.isEmpty();
    }

    /** Returns "send-buffer 16 KiB, receive-buffer 4 MiB", or "today's default". */
    public String text() {
        return isDefault()
                ? "today's default"
                : knobs.entrySet().stream()
                        .map(knob -> knob.getKey() + " " + valueText(knob.getKey(), knob.getValue()))
                        .collect(Collectors.joining(", "));
    }

    /** Returns a buffer's size with its unit, and the values of other knobs unchanged. */
    public static String valueText(String knob, String value) {
        if (!knob.endsWith("buffer") || !value.matches("\\d+")) {
            return value;
        }
        long bytes = Long.parseLong(value);
        if (bytes >= MIB && bytes % MIB == 0) {
            return bytes / MIB + " MiB";
        }
        return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
    }

    /** Returns this candidate with another value of one knob. */
    TuneCandidate with(String knob, String value) {
        Map<String, String> changed = new LinkedHashMap<>(knobs);
        changed.put(knob, value);
        return new TuneCandidate(changed);
    }
}
