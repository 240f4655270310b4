package org.lagbench.analysis.statistics;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Quantiles by estimator R-7 of Hyndman and Fan (1996), the default of R and NumPy and Commons Math's {@code R_7}: with
 * h = (n − 1)·p, linear interpolation between the sorted values at ⌊h⌋ and ⌊h⌋ + 1. The index is computed in integers,
 * so that a quantile that falls on a value equals it. A probability p is a numerator of {@code parts}.
 */
public final class Quantile {
    public static final int PERCENT = 100;
    static final int PER_MILLE = 1000;

    private Quantile() {}

    /** Returns quantiles of sorted values; NaN if there is none. */
    public static double[] ofSorted(long[] values, int parts, int... numerators) {
        double[] quantiles = new double[numerators.length];
        Arrays.fill(quantiles, Double.NaN);
        if (values.length == 0) {
            return quantiles;
        }
        long[] found = LongStream.of(ranks(values.length, parts, numerators))
                .map(rank -> values[(int) rank])
                .toArray();
        return of(found, values.length, parts, numerators);
    }

    /** Returns the median of values in any order; NaN if there is none, or one is NaN. */
    public static double median(double... values) {
        double[] sorted = Arrays.stream(values).sorted().toArray(); // NaN is last
        int last = sorted.length - 1;
        return last < 0 || Double.isNaN(sorted[last]) ? Double.NaN : (sorted[last / 2] + sorted[(last + 1) / 2]) / 2;
    }

    /** Returns the indices of the sorted values that quantiles of n values need: two for each. */
    static long[] ranks(long n, int parts, int... numerators) {
        long[] ranks = new long[2 * numerators.length];
        for (int i = 0; i < numerators.length; i++) {
            ranks[2 * i] = (n - 1) * numerators[i] / parts;
            ranks[2 * i + 1] = Math.min(n - 1, ranks[2 * i] + 1);
        }
        return ranks;
    }

    /** Returns the quantiles of n values by the sorted values at their {@link #ranks}. */
    static double[] of(long[] sorted, long n, int parts, int... numerators) {
        double[] quantiles = new double[numerators.length];
        for (int i = 0; i < numerators.length; i++) {
            double fraction = (n - 1) * numerators[i] % parts / (double) parts;
            double below = sorted[2 * i];
            double above = sorted[2 * i + 1];
            quantiles[i] = below + fraction * (above - below);
        }
        return quantiles;
    }
}
