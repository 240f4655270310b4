package org.lagbench.report.table;

import java.util.Locale;

/** Formats values whose unit and magnitude are unknown. */
public final class ValueText {
    private static final int DIGITS = 6;
    private static final double LEAST_PLAIN = 1e-4;
    private static final double GREATEST_PLAIN = 1e15;

    private ValueText() {}

    /** Returns a number with six significant digits at least; "–" for NaN. */
    public static String of(double value) {
        double magnitude = Math.abs(value);
        if (Double.isNaN(value)) {
            return Numbers.NONE;
        }
        if (magnitude != 0 && (magnitude < LEAST_PLAIN || magnitude >= GREATEST_PLAIN)) {
            return String.format(Locale.ROOT, "%." + (DIGITS - 1) + "e", value);
        }
        int before = magnitude < 1 ? 1 : (int) Math.floor(Math.log10(magnitude)) + 1;
        return Numbers.grouped(Math.max(0, DIGITS - before), value);
    }

    /** Returns a share as a percentage with two decimals; "–" for NaN. */
    public static String percent(double share) {
        return Double.isNaN(share) ? Numbers.NONE : Numbers.fixed(2, 100 * share);
    }

    /** Returns a number for programs; "" for NaN. */
    public static String exact(double value) {
        return Double.isNaN(value) ? "" : Double.toString(value);
    }
}
