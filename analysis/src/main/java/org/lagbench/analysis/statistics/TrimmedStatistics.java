package org.lagbench.analysis.statistics;

/**
 * What is left of a series with an upper quantile removed: the statistics of the values ≤ the quantile.
 *
 * @param quantileNs the quantile, estimator R-7, in ns
 * @param meanNs mean of the values kept, in ns
 * @param standardDeviationNs sample standard deviation of the values kept, in ns; NaN of fewer than two
 * @param dropped how many values were greater than the quantile
 */
public record TrimmedStatistics(double quantileNs, double meanNs, double standardDeviationNs, long dropped) {
    /** Of no value. */
    static final TrimmedStatistics NOTHING = new TrimmedStatistics(Double.NaN, Double.NaN, Double.NaN, 0);
}
