package org.lagbench.report.table;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.text.Units;

/** Formats numbers for people. */
public final class Numbers {
    /** The text for an undefined or unknown value. */
    public static final String NONE = "–";

    private static final double MIN_PLAIN = 1e-4;
    private static final double MAX_PLAIN = 1e15;

    /** Bounds from here on are shown in seconds: clocks that are not set. */
    private static final long MIN_IN_SECONDS_NS = 10_000_000_000L;

    private Numbers() {}

    /** Returns a number with that many decimals; {@value #NONE} for NaN. */
    public static String fixed(int decimals, double value) {
        return Double.isNaN(value) ? NONE : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** Returns a count with commas between thousands. */
    public static String grouped(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns a number with that many decimals, and with commas between thousands; {@value #NONE} for NaN. */
    public static String grouped(int decimals, double value) {
        return Double.isNaN(value) ? NONE : String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** Returns nanoseconds as microseconds with at least four significant digits, but none below the nanosecond. */
    public static String usText(double ns) {
        return Math.abs(ns) < Units.NS_PER_US ? fixed(3, ns / Units.NS_PER_US) : significant(4, ns / Units.NS_PER_US);
    }

    /** Returns bits per second as megabits per second with at least three significant digits. */
    public static String mbitText(double bitsPerS) {
        return significant(3, bitsPerS / Units.BITS_PER_MBIT);
    }

    /** Returns a duration of ns with three significant digits: "850 ns", "12.3 µs", "1.36 ms", "2.00 s". */
    public static String duration(double ns) {
        if (Double.isNaN(ns)) {
            return "unknown";
        }
        if (Math.abs(ns) < 999.5) {
            return fixed(0, ns) + " ns";
        }
        double us = ns / Units.NS_PER_US;
        return Math.abs(us) < 999.5
                ? significant(3, us) + " µs"
                : Math.abs(us) < 999.5e3 ? significant(3, us / 1e3) + " ms" : significant(3, us / 1e6) + " s";
    }

    /** Returns a value with the unit of its metric or series; a time in the unit of its magnitude. */
    public static String quantity(String unit, double value) {
        return switch (unit) {
            case "µs" -> duration(value * Units.NS_PER_US);
            case "ms" -> duration(value * Units.NS_PER_MS);
            case "%" -> percent(value / Units.PERCENT) + " %";
            default -> significant(3, value) + " " + unit;
        };
    }

    /** Returns a time as "42 s", "3 min 05 s" or "2 h 07 min". */
    public static String time(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        return seconds < 3_600
                ? String.format("%d min %02d s", seconds / 60, seconds % 60)
                : String.format("%d h %02d min", seconds / 3_600, seconds % 3_600 / 60);
    }

    /** Returns a rate as {@link #significant}, with a digit less but not as "0.00" if it is small: "0.0019". */
    static String rate(int digits, double value) {
        double magnitude = Math.abs(value);
        return magnitude > 0 && magnitude < 0.1
                ? fixed(digits - 2 - (int) Math.floor(Math.log10(magnitude)), value)
                : significant(digits, value);
    }

    /**
     * Returns a number with that many significant digits, with at most that many decimals; all digits before the point,
     * at least one, are kept.
     */
    public static String significant(int digits, double value) {
        int decimals = value == 0 ? digits - 1 : digits;
        for (double limit = 1;
                decimals > 0 && Math.abs(value) >= limit - 5 * Math.pow(10, -decimals - 1);
                limit *= 10) {
            decimals--;
        }
        return grouped(decimals, value);
    }

    /** Returns a number of unknown unit and magnitude with six significant digits at least; {@value #NONE} for NaN. */
    public static String sixDigits(double value) {
        double magnitude = Math.abs(value);
        if (magnitude != 0 && (magnitude < MIN_PLAIN || magnitude >= MAX_PLAIN)) {
            return String.format(Locale.ROOT, "%.5e", value);
        }
        int before = magnitude < 1 ? 1 : (int) Math.floor(Math.log10(magnitude)) + 1;
        return grouped(Math.max(0, 6 - before), value);
    }

    /** Returns a number for programs; "" for NaN. */
    public static String exact(double value) {
        return Double.isNaN(value) ? "" : Double.toString(value);
    }

    /** Returns a fraction as a percentage with up to four significant digits: "0.5", "33.33", "0.001234". */
    public static String percent(double fraction) {
        double percent = fraction * 100;
        int decimals = percent == 0 ? 0 : (int) Math.max(0, 3 - Math.floor(Math.log10(percent)));
        return Double.isNaN(percent)
                ? NONE
                : fixed(decimals, percent).replaceFirst("(\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "");
    }

    /** Returns a count that may be a mean: whole, or with two decimals. */
    static String countText(double count) {
        return grouped(count == Math.rint(count) ? 0 : 2, count);
    }

    static String count(@Nullable Long count) {
        return count == null ? NONE : grouped(count);
    }

    /** The largest error of a lag because of a clock's rate, as a share: "0.05 %". */
    public static final String CLOCK_RATE = ClockEffect.LARGEST_RATE_PPM * Units.PERCENT / Units.PPM + " %";

    /** Returns an uncertainty, rounded up: "± 1 ns", "± 6.1 µs", "± 55,100 µs", "± unknown". */
    public static String plusMinus(@Nullable Long boundNs) {
        if (boundNs == null) {
            return "± unknown";
        }
        if (boundNs < Units.NS_PER_US) {
            return "± " + boundNs + " ns";
        }
        if (boundNs >= MIN_IN_SECONDS_NS) {
            return "± " + grouped(0, Math.ceil(boundNs / Units.NS_PER_S)) + " s";
        }
        return boundNs <= 99_900
                ? "± " + fixed(1, Math.ceil(boundNs / 100.0) / 10) + " µs"
                : "± " + grouped(0, Math.ceil(boundNs / Units.NS_PER_US)) + " µs";
    }

    /** Returns an uncertainty in parts per million, rounded up. */
    static String plusMinusPpm(@Nullable Double ppm) {
        return ppm == null ? "± unknown" : "± " + fixed(3, Math.ceil(ppm * 1e3) / 1e3);
    }

    /** Returns the bases of bounds: "chrony", or "chrony, two-way" if there are several. */
    public static String clockBases(Set<ClockBound.Basis> bases) {
        return bases.stream()
                .map(basis -> basis == ClockBound.Basis.SAME_KERNEL ? "one kernel" : basis.text())
                .collect(Collectors.joining(", "));
    }

    /** Returns a bound with its basis: "± 6.0 µs (chrony)". */
    public static String clockBound(ClockEffect clock) {
        return plusMinus(clock.boundNs()) + (clock.boundNs() == null ? "" : " (" + clockBases(clock.bases()) + ")");
    }
}
