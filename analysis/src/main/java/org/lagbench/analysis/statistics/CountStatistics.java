package org.lagbench.analysis.statistics;

import org.lagbench.core.failure.LagbenchException;

/**
 * Figures of a series of whole numbers, such as lengths in packets. What is undefined, for want of values, is NaN.
 *
 * @param n how many values
 * @param minimum the least
 * @param mean their mean
 * @param median their median, estimator R-7
 * @param q95 their 95 % quantile, estimator R-7
 * @param maximum the greatest
 */
public record CountStatistics(long n, double minimum, double mean, double median, double q95, double maximum) {
    /** Of no value. */
    public static final CountStatistics NONE =
            new CountStatistics(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /**
     * Describes a series, exactly, in at most four passes over it.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static CountStatistics of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        double[] quantiles = ordered.quantiles(Quantile.PERCENT, 50, 95);
        Moments all = ordered.moments();
        return new CountStatistics(all.n(), all.minimum(), all.mean(), quantiles[0], quantiles[1], all.maximum());
    }
}
