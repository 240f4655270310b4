package org.lagbench.analysis.statistics;

import org.lagbench.core.failure.LagbenchException;

/**
 * What a box plot shows, in ns; quantiles by estimator R-7. NaN if there is no value.
 *
 * @param n how many values
 * @param whiskerFromNs the least value that is not below the lower quartile by more than 1.5 times the distance of the
 *     quartiles (Tukey 1977)
 * @param lowerQuartileNs the 25 % quantile
 * @param medianNs the 50 % quantile
 * @param upperQuartileNs the 75 % quantile
 * @param whiskerToNs the greatest value that is not above the upper quartile by more than 1.5 times that distance
 * @param q95Ns the 95 % quantile
 * @param q99Ns the 99 % quantile
 * @param minimumNs the least value
 * @param maximumNs the greatest value
 */
public record BoxStatistics(
        long n,
        double whiskerFromNs,
        double lowerQuartileNs,
        double medianNs,
        double upperQuartileNs,
        double whiskerToNs,
        double q95Ns,
        double q99Ns,
        double minimumNs,
        double maximumNs) {
    private static final double WHISKER = 1.5;

    /**
     * Describes a series, exactly, in at most six passes over it (mostly three) and 2 MiB of memory.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static BoxStatistics of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        double[] quantiles = ordered.quantiles(Quantile.PERCENT, 25, 50, 75, 95, 99);
        double lower = quantiles[0];
        double upper = quantiles[2];
        double reach = WHISKER * (upper - lower);
        long[] ends = {Long.MAX_VALUE, Long.MIN_VALUE};
        values.forEach(value -> {
            if ((double) value >= lower - reach) {
                ends[0] = Math.min(ends[0], value);
            }
            if ((double) value <= upper + reach) {
                ends[1] = Math.max(ends[1], value);
            }
        });
        boolean isEmpty = ordered.n() == 0;
        return new BoxStatistics(
                ordered.n(),
                isEmpty ? Double.NaN : (double) ends[0],
                lower,
                quantiles[1],
                upper,
                isEmpty ? Double.NaN : (double) ends[1],
                quantiles[3],
                quantiles[4],
                ordered.moments().minimum(),
                ordered.moments().maximum());
    }
}
