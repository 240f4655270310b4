package org.lagbench.analysis.statistics;

import org.lagbench.core.failure.LagbenchException;

/**
 * Statistics of a series of durations with the upper tail. Undefined metrics are NaN.
 *
 * @param n number of values
 * @param minimumNs smallest value in ns
 * @param meanNs mean in ns
 * @param standardDeviationNs sample standard deviation (n − 1) in ns
 * @param medianNs median in ns; this and the quantiles by estimator R-7
 * @param q95Ns 95 % quantile in ns
 * @param q99Ns 99 % quantile in ns
 * @param q999Ns 99.9 % quantile in ns
 * @param maximumNs largest value in ns
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
    /** Computes the exact statistics in at most four passes (usually two) and about 1 MiB of memory. */
    public static TailStatistics of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        double[] quantiles = ordered.quantiles(Quantile.PER_MILLE, 500, 950, 990, 999);
        return new TailStatistics(
                ordered.n(),
                ordered.minimum(),
                ordered.mean(),
                ordered.standardDeviation(),
                quantiles[0],
                quantiles[1],
                quantiles[2],
                quantiles[3],
                ordered.maximum());
    }
}
