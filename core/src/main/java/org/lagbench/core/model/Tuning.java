package org.lagbench.core.model;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The goal of a tuning run: the values of settings that minimize an objective under constraints. Immutable.
 *
 * @param maximumLossPpm the largest accepted share of lost packets, in millionths; null for any
 * @param goodput the smallest accepted goodput; null for any
 * @param indifferencePpm the share by which an objective may be greater and still count as equal, in millionths
 * @param budget the limit of an undecided tune
 * @param knobs the settings to vary; one or more
 */
public record Tuning(
        @Key("minimize") Objective objective,
        @Key("loss") @Nullable Integer maximumLossPpm,
        @Nullable GoodputFloor goodput,
        int indifferencePpm,
        TuneBudget budget,
        List<Knob> knobs) {
    public Tuning {
        knobs = List.copyOf(knobs);
    }

    /** The metric of each run that a tune minimizes. */
    public enum Objective implements TextEnum {
        LAG_MEDIAN("median lag", "lag.median"),
        LAG_MEAN("mean lag", "lag.mean"),
        /** The 95 % quantile of the transmit lag. */
        LAG_Q95("Q95 of the lag", "lag.q95"),
        /** The 99 % quantile of the transmit lag. */
        LAG_Q99("Q99 of the lag", "lag.q99"),
        /** The playout delay with which 1 % of the packets are late or lost. */
        PLAYOUT("playout delay for 1 % late", "playout.delay");

        private final String title;
        private final String metric;

        Objective(String title, String metric) {
            this.title = title;
            this.metric = metric;
        }

        /** Returns the objective with a name or the id of a metric: "lag-q99" or "lag.q99". */
        public static Objective parse(String text) {
            for (Objective objective : values()) {
                if (objective.metric.equals(text.strip())) {
                    return objective;
                }
            }
            return TextEnum.parse(Objective.class, "minimize", text);
        }

        /** Returns the name in tables. */
        public String title() {
            return title;
        }

        /** Returns the id of the metric, whose unit is µs. */
        public String metric() {
            return metric;
        }
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
}
