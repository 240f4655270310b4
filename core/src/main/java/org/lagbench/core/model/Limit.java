package org.lagbench.core.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.text.Units;

/**
 * A limit of a metric, as users write it: {@code lag.q99 <= 2 ms}.
 *
 * @param name the id of a metric, or the name of a series
 * @param relation how a value relates to the limit: {@code <=}, {@code <}, {@code >=} or {@code >}
 * @param value with its unit
 */
public record Limit(String name, String relation, String value) {
    private static final Pattern FORM = Pattern.compile("([\\w.:-]+) ?(<=|<|>=|>) ?(\\d[^=<>]*)");

    /**
     * Returns the limit that a text states.
     *
     * @throws IllegalArgumentException if it has another form
     */
    public static Limit parse(String text) {
        Matcher form = FORM.matcher(text.strip().replaceAll("\\s+", " "));
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a limit of a metric");
        }
        return new Limit(form.group(1), form.group(2), form.group(3).strip());
    }

    /** Returns the limit as a user would write it. */
    public String text() {
        return name + " " + relation + " " + value;
    }

    /**
     * Returns the value in a unit of metrics or series.
     *
     * @throws IllegalArgumentException with a clause, if it is not a quantity of this unit
     */
    public double in(String unit) {
        try {
            return switch (unit) {
                case "µs" -> Durations.parseNs(value) / Units.NS_PER_US;
                case "ms" -> Durations.parseNs(value) / Units.NS_PER_US / Units.US_PER_MS;
                case "Mbit/s", "Mb/s" -> Quantities.parseRate(value) / Units.BITS_PER_MBIT;
                case "%" -> Quantities.parseShare(value) / (double) Quantities.PPM_PER_PERCENT;
                default -> Double.parseDouble(value.replaceFirst(" ?" + Pattern.quote(unit) + "$", ""));
            };
        } catch (IllegalArgumentException e) {
            String example =
                    switch (unit) {
                        case "µs", "ms" -> "2 ms";
                        case "Mbit/s", "Mb/s" -> "8 Mbit/s";
                        case "%" -> "0.1 %";
                        default -> "3 " + unit;
                    };
            throw new IllegalArgumentException(
                    value + " is not a valid limit of " + name + "; write one such as " + example, e);
        }
    }

    /** Returns whether a measured value is within this limit; both have the same unit. */
    public boolean holds(double measured, double limit) {
        return switch (relation) {
            case "<=" -> measured <= limit;
            case "<" -> measured < limit;
            case ">=" -> measured >= limit;
            default -> measured > limit;
        };
    }

    /** Returns whether values must be small. */
    public boolean isUpper() {
        return relation.startsWith("<");
    }
}
