package org.lagbench.analysis.statistics;

import static java.lang.Double.NaN;

/**
 * Statistics of the values of a series that are ≤ an upper quantile.
 *
 * @param quantileNs the quantile, estimator R-7, in ns
 * @param meanNs mean of the values kept, in ns
 * @param standardDeviationNs sample standard deviation of the values kept, in ns; NaN of fewer than two
 * @param dropped number of values above the quantile
 */
public record TrimmedStatistics(double quantileNs, double meanNs, double standardDeviationNs, long dropped) {
    /** The statistics of no values. */
    static final TrimmedStatistics NONE = new TrimmedStatistics(NaN, NaN, NaN, 0);
}
