package org.lagbench.core.model;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Durations;

/**
 * The goal of a tuning run: the values of settings with the best objective under constraints. Immutable.
 *
 * @param objective the id of a metric, or a numeric setting of the knobs, whose smallest value is the best
 * @param require the limits of other metrics
 * @param maximumLossPpm the largest accepted share of lost packets, in millionths; null for any
 * @param goodput the smallest accepted goodput; null for any
 * @param indifferencePpm the share by which an objective may be worse and still count as equal, in millionths
 * @param budget the limit of an undecided tune
 * @param knobs the settings to vary; one or more
 */
public record Tuning(
        String objective,
        List<Limit> require,
        @Key("loss") @Nullable Integer maximumLossPpm,
        @Nullable GoodputFloor goodput,
        int indifferencePpm,
        TuneBudget budget,
        List<Knob> knobs) {
    public Tuning {
        require = List.copyOf(require);
        knobs = List.copyOf(knobs);
    }

    /**
     * The smallest goodput that a tuning run accepts: received bytes of packets, without the network's headers.
     *
     * @param sharePpm in millionths of the link's rate; 0 if given as a rate
     * @param bitsPerS in bit/s; 0 if given as a share
     */
    public record GoodputFloor(int sharePpm, long bitsPerS) {
        private static final double MILLION = 1e6;

        /** Returns the goodput in bit/s on a link. */
        public double bitsPerS(long linkBitsPerS) {
            return sharePpm == 0 ? (double) bitsPerS : linkBitsPerS * (sharePpm / MILLION);
        }
    }

    /**
     * The limit after which an undecided tune ends.
     *
     * @param time from the start of the first run; null if the limit is a number of runs
     * @param runs the number of runs; 0 if the limit is a time
     */
    public record TuneBudget(@Nullable Duration time, int runs) {
        public static final int MAXIMUM_RUNS = 100_000;

        public static final Duration MAXIMUM_TIME = Duration.ofDays(7);
    }

    /**
     * A setting that a tuning run varies, over a range or a list of values.
     *
     * @param name the setting's name
     * @param from the smallest value of a range, more than 0; 0 for a list
     * @param to the largest value of a range; 0 for a list
     * @param values the values of a list, as text; none for a range
     * @param isTime whether values are lengths of time, whose numbers are in ns
     */
    public record Knob(String name, long from, long to, List<String> values, boolean isTime) {
        public Knob {
            values = List.copyOf(values);
            if (values.isEmpty() && (from < 1 || to < from)) {
                throw new IllegalArgumentException(
                        name + ": the range from " + from + " to " + to + " is empty or not positive");
            }
        }

        /** Returns a knob whose values are a range of numbers. */
        public static Knob range(String name, long from, long to) {
            return new Knob(name, from, to, List.of(), false);
        }

        /** Returns a list of values that are not lengths of time. */
        public static Knob list(String name, List<String> values) {
            return new Knob(name, 0, 0, values, false);
        }

        /** Returns the part of a range up to a number. */
        public Knob upTo(long number) {
            return new Knob(name, Math.min(from, number), number, values, isTime);
        }

        /** Returns a value as text, as {@link #number} reads it. */
        public String text(long number) {
            return isTime ? Durations.format(number) : Long.toString(number);
        }

        /**
         * Returns a value that is a number, or a length of time in ns.
         *
         * @throws IllegalArgumentException if the text is neither
         */
        public long number(String text) {
            return isTime ? Durations.parseNs(text) : Long.parseLong(text);
        }

        public boolean isRange() {
            return values.isEmpty();
        }

        /** Returns whether each value is a number, or a length of time. */
        public boolean isNumeric() {
            try {
                values.forEach(this::number);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }
}
