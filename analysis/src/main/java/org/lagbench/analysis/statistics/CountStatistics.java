package org.lagbench.analysis.statistics;

import static java.lang.Double.NaN;

import org.lagbench.core.failure.LagbenchException;

/**
 * Statistics of whole numbers, such as lengths in packets. All but n are NaN if there is no value.
 *
 * @param n number of values
 * @param minimum the smallest value
 * @param mean mean
 * @param median median, estimator R-7
 * @param q95 the 95 % quantile, estimator R-7
 * @param maximum the largest value
 */
public record CountStatistics(long n, double minimum, double mean, double median, double q95, double maximum) {
    /** The statistics of no values. */
    public static final CountStatistics NONE = new CountStatistics(0, NaN, NaN, NaN, NaN, NaN);

    /** Computes the exact statistics in at most four passes. */
    public static CountStatistics of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        double[] quantiles = ordered.quantiles(Quantile.PERCENT, 50, 95);
        return new CountStatistics(
                ordered.n(), ordered.minimum(), ordered.mean(), quantiles[0], quantiles[1], ordered.maximum());
    }
}
