package org.lagbench.report.page;

import java.util.Locale;

/** Figures in sentences: three significant digits, and the unit in which they are short. */
final class HumanFormat {
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_S = 1e9;

    private HumanFormat() {}

    /** A duration of ns: "850 ns", "12.3 µs", "1.36 ms", "2.00 s". */
    static String duration(double ns) {
        double size = Math.abs(ns);
        if (Double.isNaN(ns)) {
            return "unknown";
        }
        if (size < 999.5) {
            return String.format(Locale.ROOT, "%.0f ns", ns);
        }
        if (size < 999.5 * NS_PER_US) {
            return digits(ns / NS_PER_US) + " µs";
        }
        return size < 999.5 * NS_PER_MS ? digits(ns / NS_PER_MS) + " ms" : digits(ns / NS_PER_S) + " s";
    }

    /** From the least to the greatest, or the one that both are. */
    static String range(double fromNs, double toNs) {
        String from = duration(fromNs);
        String to = duration(toNs);
        return from.equals(to) ? from : from + " to " + to;
    }

    /** A count with commas between thousands. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** A fraction as per cent. */
    static String percent(double fraction) {
        double percent = fraction * 100;
        return String.format(Locale.ROOT, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
    }

    private static String digits(double value) {
        double size = Math.abs(value);
        int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
