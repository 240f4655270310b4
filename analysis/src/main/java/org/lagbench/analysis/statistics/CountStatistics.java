package org.lagbench.analysis.statistics;

import static java.lang.Double.NaN;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.Metric.Getter;

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

    /** Returns the metrics of numbers of packets, whose ids begin with a text and its dot. */
    public static List<Metric<CountStatistics>> metrics(String id, String title) {
        return List.of(
                Metric.packets(id + "count", title, "Values", CountStatistics::n),
                packets(id + "minimum", title, "Min", Combination.MIN, CountStatistics::minimum),
                packets(id + "median", title, "Median", Combination.MEDIAN, CountStatistics::median),
                packets(id + "q95", title, "Q95", Combination.MEDIAN, CountStatistics::q95),
                packets(id + "maximum", title, "Max", Combination.MAX, CountStatistics::maximum),
                packets(id + "mean", title, "Mean", Combination.MEDIAN, CountStatistics::mean));
    }

    private static Metric<CountStatistics> packets(
            String id, String title, String statistic, Combination combination, Getter<CountStatistics> number) {
        return Metric.count(id, title, statistic, "packets", combination, number);
    }

    /** Computes the exact statistics in at most four passes. */
    public static CountStatistics of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        double[] quantiles = ordered.quantiles(Quantile.PERCENT, 50, 95);
        return new CountStatistics(
                ordered.n(), ordered.minimum(), ordered.mean(), quantiles[0], quantiles[1], ordered.maximum());
    }
}
