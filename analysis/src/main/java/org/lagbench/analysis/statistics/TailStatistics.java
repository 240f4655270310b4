package org.lagbench.analysis.statistics;

import org.lagbench.core.failure.LagbenchException;

/**
 * Figures of a series of durations whose upper tail matters. What is undefined, for want of values, is NaN.
 *
 * @param n how many values
 * @param minimumNs least value in ns
 * @param meanNs mean in ns
 * @param standardDeviationNs sample standard deviation (n − 1) in ns
 * @param medianNs median in ns; this and the quantiles by estimator R-7
 * @param q95Ns 95 % quantile in ns
 * @param q99Ns 99 % quantile in ns
 * @param q999Ns 99.9 % quantile in ns
 * @param maximumNs greatest value in ns
 */
public record TailStatistics(
        long n,
        double minimumNs,
        double meanNs,
        double standardDeviationNs,
        double medianNs,
        double q95Ns,
        double q99Ns,
        double q999Ns,
        double maximumNs) {
    /**
     * Describes a series, exactly, in at most four passes over it (mostly two) and about 1 MiB of memory.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static TailStatistics of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        double[] quantiles = ordered.quantiles(Quantile.PER_MILLE, 500, 950, 990, 999);
        Moments all = ordered.moments();
        return new TailStatistics(
                all.n(),
                all.minimum(),
                all.mean(),
                all.standardDeviation(),
                quantiles[0],
                quantiles[1],
                quantiles[2],
                quantiles[3],
                all.maximum());
    }
}
