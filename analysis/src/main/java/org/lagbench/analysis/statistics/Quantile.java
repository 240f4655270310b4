package org.lagbench.analysis.statistics;

import org.lagbench.core.failure.LagbenchException;

/**
 * A quantile by estimator R-7 of Hyndman and Fan (1996), the default of R and NumPy and Commons Math's {@code R_7}:
 * with h = (n − 1)·p, the value between the sorted values of index ⌊h⌋ and ⌊h⌋ + 1 at the fraction h − ⌊h⌋. The index
 * is reckoned in whole numbers, so that a quantile that falls on a value is that value.
 *
 * @param percent p, from 0 to 100
 * @param atOrBelow the sorted value of index ⌊h⌋: a value is ≤ the quantile exactly if it is ≤ this one
 * @param value the quantile
 */
public record Quantile(int percent, long atOrBelow, double value) {
    private static final int PERCENT = 100;
    private static final int PER_MILLE = 1000;

    /** The indices of the sorted values that quantiles are reckoned from: two of each, of n values. */
    static long[] ranks(long n, int... percents) {
        return ranks(n, PERCENT, percents);
    }

    /** Quantiles by the sorted values at their {@link #ranks}. */
    static Quantile[] of(long[] sorted, long n, int... percents) {
        Quantile[] quantiles = new Quantile[percents.length];
        for (int i = 0; i < percents.length; i++) {
            quantiles[i] = new Quantile(percents[i], sorted[2 * i], between(sorted, i, n, PERCENT, percents[i]));
        }
        return quantiles;
    }

    /**
     * Quantiles of a series.
     *
     * @param n how many values there are, more than 0
     * @param minimum the least
     * @param maximum the greatest
     */
    static Quantile[] of(LongValues values, long n, long minimum, long maximum, int... percents)
            throws LagbenchException {
        return of(OrderStatistics.select(values, minimum, maximum, ranks(n, percents)), n, percents);
    }

    /** The same with p in thousandths, and the values alone. */
    static double[] perMille(LongValues values, long n, long minimum, long maximum, int... perMille)
            throws LagbenchException {
        long[] sorted = OrderStatistics.select(values, minimum, maximum, ranks(n, PER_MILLE, perMille));
        double[] quantiles = new double[perMille.length];
        for (int i = 0; i < perMille.length; i++) {
            quantiles[i] = between(sorted, i, n, PER_MILLE, perMille[i]);
        }
        return quantiles;
    }

    private static long[] ranks(long n, int parts, int... numerators) {
        long[] ranks = new long[2 * numerators.length];
        for (int i = 0; i < numerators.length; i++) {
            ranks[2 * i] = (n - 1) * numerators[i] / parts;
            ranks[2 * i + 1] = Math.min(n - 1, ranks[2 * i] + 1);
        }
        return ranks;
    }

    private static double between(long[] sorted, int i, long n, int parts, int numerator) {
        double fraction = (n - 1) * numerator % parts / (double) parts;
        double below = sorted[2 * i];
        double above = sorted[2 * i + 1];
        return below + fraction * (above - below);
    }
}
