package org.lagbench.core.model;

import java.util.List;

/**
 * A setting that a tuning run varies, over a range or a list of values.
 *
 * @param name the setting's name
 * @param from the smallest value of a range, more than 0; 0 for a list
 * @param to the largest value of a range; 0 for a list
 * @param values the values of a list, as text; none for a range
 */
public record Knob(String name, long from, long to, List<String> values) {
    public Knob {
        values = List.copyOf(values);
        if (values.isEmpty() && (from < 1 || to < from)) {
            throw new IllegalArgumentException(
                    name + ": the range from " + from + " to " + to + " is empty or not positive");
        }
    }

    public static Knob range(String name, long from, long to) {
        return new Knob(name, from, to, List.of());
    }

    public static Knob list(String name, List<String> values) {
        return new Knob(name, 0, 0, values);
    }

    public boolean isRange() {
        return values.isEmpty();
    }
}
