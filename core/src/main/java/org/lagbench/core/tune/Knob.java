package org.lagbench.core.tune;

import java.util.List;

/**
 * A setting that a tune varies: over a range, in which it looks ever closer, or over some values.
 *
 * @param name the setting's name
 * @param from the least of a range, more than 0; 0 for a list
 * @param to the greatest of a range, not less; 0 for a list
 * @param values of a list, as text; none for a range
 */
public record Knob(String name, long from, long to, List<String> values) {
    public Knob {
        values = List.copyOf(values);
        if (values.isEmpty() && (from < 1 || to < from)) {
            throw new IllegalArgumentException(name + ": a range from " + from + " to " + to);
        }
    }

    /** Over all from the one to the other. */
    public static Knob range(String name, long from, long to) {
        return new Knob(name, from, to, List.of());
    }

    /** Over these values. */
    public static Knob list(String name, List<String> values) {
        return new Knob(name, 0, 0, values);
    }

    /** Whether it has all values between two. */
    public boolean isRange() {
        return values.isEmpty();
    }
}
