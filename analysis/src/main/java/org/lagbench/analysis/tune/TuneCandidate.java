package org.lagbench.analysis.tune;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.model.Tuning.Knob;

/**
 * One combination of values of all knobs. Immutable.
 *
 * @param knobs each knob's value as text, in the order of the knobs; none for the system default
 */
public record TuneCandidate(Map<String, String> knobs) {
    /** The system default: the settings that sockets have without a tune. */
    public static final TuneCandidate DEFAULT = new TuneCandidate(Map.of());

    public TuneCandidate {
        knobs = Collections.unmodifiableMap(new LinkedHashMap<>(knobs));
    }

    /** Returns whether this candidate is the system default. */
    public boolean isDefault() {
        return knobs.isEmpty();
    }

    /** Returns "send buffer 16 KiB, receive buffer 4 MiB", or "system default". */
    public String text() {
        return isDefault()
                ? "system default"
                : knobs.entrySet().stream()
                        .map(knob -> SettingText.name(knob.getKey()) + " "
                                + SettingText.value(knob.getKey(), knob.getValue()))
                        .collect(Collectors.joining(", "));
    }

    /** Returns the value of a numeric knob; NaN for the system default. */
    double number(Knob knob) {
        String value = knobs.get(knob.name());
        return value == null ? Double.NaN : knob.number(value);
    }

    /** Returns this candidate with another value of one knob. */
    TuneCandidate with(String knob, String value) {
        Map<String, String> changed = new LinkedHashMap<>(knobs);
        changed.put(knob, value);
        return new TuneCandidate(changed);
    }
}
