package org.lagbench.report.table;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as people read them. */
public final class Numbers {
    /** In place of what is undefined or unknown. */
    static final String NONE = "–";

    private static final double NS_PER_US = 1e3;

    private Numbers() {}

    /** Nanoseconds as microseconds, exactly as far as a double goes. */
    static double us(double ns) {
        return ns / NS_PER_US;
    }

    /** Nanoseconds as microseconds with at least four significant digits, but none below the nanosecond. */
    public static String usText(double ns) {
        if (Double.isNaN(ns)) {
            return NONE;
        }
        double us = us(ns);
        double size = Math.abs(us);
        int decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", us);
    }

    /** A share of 1 as per cent with four significant digits; a small one with as many decimals as it takes. */
    static String percent(double share) {
        if (Double.isNaN(share)) {
            return NONE;
        }
        double percent = share * 100;
        int decimals = percent == 0 ? 0 : (int) Math.max(0, 3 - Math.floor(Math.log10(percent)));
        return String.format(Locale.ROOT, "%." + decimals + "f", percent);
    }

    /** A count that may be a mean: whole, or with two decimals. */
    static String countText(double count) {
        if (Double.isNaN(count)) {
            return NONE;
        }
        return count == Math.rint(count)
                ? String.format(Locale.ROOT, "%.0f", count)
                : String.format(Locale.ROOT, "%.2f", count);
    }

    /** A count. */
    static String count(@Nullable Long count) {
        return count == null ? NONE : Long.toString(count);
    }

    /** How far something may be off, rounded up: "± 1 ns", "± 6.1 µs", "± 55100 µs", "± unknown". */
    public static String plusMinus(@Nullable Long boundNs) {
        if (boundNs == null) {
            return "± unknown";
        }
        if (boundNs < NS_PER_US) {
            return "± " + boundNs + " ns";
        }
        return boundNs <= 99_900
                ? String.format(Locale.ROOT, "± %.1f µs", Math.ceil(boundNs / 100.0) / 10)
                : String.format(Locale.ROOT, "± %.0f µs", Math.ceil(boundNs / NS_PER_US));
    }

    /** Parts per million. */
    static String ppm(double ppm) {
        return String.format(Locale.ROOT, "%.3f", Math.round(ppm * 1e3) / 1e3);
    }

    /** How far parts per million may be off, rounded up. */
    static String plusMinusPpm(@Nullable Double ppm) {
        return ppm == null ? "± unknown" : String.format(Locale.ROOT, "± %.3f", Math.ceil(ppm * 1e3) / 1e3);
    }
}
