package org.lagbench.analysis.statistics;

import java.util.LongSummaryStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * The statistics of a box plot, in ns; quantiles by estimator R-7. NaN if there is no value.
 *
 * @param n number of values
 * @param whiskerFromNs the smallest value within 1.5 interquartile ranges below the lower quartile (Tukey 1977)
 * @param lowerQuartileNs the 25 % quantile
 * @param medianNs the 50 % quantile
 * @param upperQuartileNs the 75 % quantile
 * @param whiskerToNs the largest value within 1.5 interquartile ranges above the upper quartile
 * @param q95Ns the 95 % quantile
 * @param q99Ns the 99 % quantile
 * @param minimumNs the smallest value
 * @param maximumNs the largest value
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

    /** Computes the exact statistics in at most six passes (usually three) and 2 MiB of memory. */
    public static BoxStatistics of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        double[] quantiles = ordered.quantiles(Quantile.PERCENT, 25, 50, 75, 95, 99);
        double reach = WHISKER * (quantiles[2] - quantiles[0]);
        LongSummaryStatistics within = new LongSummaryStatistics();
        values.forEach(value -> {
            if ((double) value >= quantiles[0] - reach && (double) value <= quantiles[2] + reach) {
                within.accept(value);
            }
        });
        boolean isEmpty = ordered.n() == 0;
        return new BoxStatistics(
                ordered.n(),
                isEmpty ? Double.NaN : (double) within.getMin(),
                quantiles[0],
                quantiles[1],
                quantiles[2],
                isEmpty ? Double.NaN : (double) within.getMax(),
                quantiles[3],
                quantiles[4],
                ordered.minimum(),
                ordered.maximum());
    }
}
