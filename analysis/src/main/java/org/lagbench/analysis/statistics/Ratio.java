package org.lagbench.analysis.statistics;

/** A count as a share of another. */
public final class Ratio {
    private Ratio() {}

    /** Returns {@code part / whole}, NaN if the whole is 0. */
    public static double of(long part, long whole) {
        return whole == 0 ? Double.NaN : part / (double) whole;
    }
}
