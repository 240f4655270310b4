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
     * Describes a series, exactly, in at most seven passes over it and 2 MiB of memory.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static BoxStatistics of(LongValues values) throws LagbenchException {
        Moments all = new Moments();
        values.forEach(all);
        if (all.n() == 0) {
            double none = Double.NaN;
            return new BoxStatistics(0, none, none, none, none, none, none, none, none, none);
        }
        Quantile[] quantiles = Quantile.of(values, all.n(), all.minimum(), all.maximum(), 25, 50, 75, 95, 99);
        double lower = quantiles[0].value();
        double upper = quantiles[2].value();
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
        return new BoxStatistics(
                all.n(),
                (double) ends[0],
                lower,
                quantiles[1].value(),
                upper,
                (double) ends[1],
                quantiles[3].value(),
                quantiles[4].value(),
                (double) all.minimum(),
                (double) all.maximum());
    }
}
