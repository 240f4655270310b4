package org.lagbench.analysis.statistics;

import org.lagbench.core.failure.LagbenchException;

/**
 * A quantile by estimator R-7 of Hyndman and Fan (1996), the default of R and NumPy and Commons Math's {@code R_7}: with
 * h = (n − 1)·p, the value between the sorted values of index ⌊h⌋ and ⌊h⌋ + 1 at the fraction h − ⌊h⌋. The index is
 * reckoned in whole numbers, so that a quantile that falls on a value is that value.
 *
 * @param percent p, from 0 to 100
 * @param atOrBelow the sorted value of index ⌊h⌋: a value is ≤ the quantile exactly if it is ≤ this one
 * @param value the quantile
 */
public record Quantile(int percent, long atOrBelow, double value) {
    /**
     * Quantiles of a series.
     *
     * @param n how many values there are, more than 0
     * @param minimum the least
     * @param maximum the greatest
     */
    static Quantile[] of(LongValues values, long n, long minimum, long maximum, int... percents)
            throws LagbenchException {
        long[] ranks = new long[2 * percents.length];
        for (int i = 0; i < percents.length; i++) {
            ranks[2 * i] = (n - 1) * percents[i] / 100;
            ranks[2 * i + 1] = Math.min(n - 1, ranks[2 * i] + 1);
        }
        long[] sorted = OrderStatistics.select(values, minimum, maximum, ranks);
        Quantile[] quantiles = new Quantile[percents.length];
        for (int i = 0; i < percents.length; i++) {
            double fraction = (n - 1) * percents[i] % 100 / 100.0;
            double below = sorted[2 * i];
            double above = sorted[2 * i + 1];
            quantiles[i] = new Quantile(percents[i], sorted[2 * i], below + fraction * (above - below));
        }
        return quantiles;
    }
}
