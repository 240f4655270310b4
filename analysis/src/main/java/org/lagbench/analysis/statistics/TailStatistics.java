package org.lagbench.analysis.statistics;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

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
    /** Returns the metrics of a series, whose ids begin with a text and its dot. */
    public static List<Metric<TailStatistics>> metrics(String id, String title) {
        return List.of(
                Metric.time(id + "minimum", title, "Min", Combination.MIN, TailStatistics::minimumNs),
                Metric.time(id + "median", title, "Median", Combination.MEDIAN, TailStatistics::medianNs),
                Metric.time(id + "q95", title, "Q95", Combination.MEDIAN, TailStatistics::q95Ns),
                Metric.time(id + "q99", title, "Q99", Combination.MEDIAN, TailStatistics::q99Ns),
                Metric.time(id + "q999", title, "Q99.9", Combination.MEDIAN, TailStatistics::q999Ns),
                Metric.time(id + "maximum", title, "Max", Combination.MAX, TailStatistics::maximumNs),
                Metric.time(id + "mean", title, "Mean", Combination.MEDIAN, TailStatistics::meanNs),
                Metric.time(
                        id + "standardDeviation", title, "SD", Combination.MEDIAN, TailStatistics::standardDeviationNs),
                Metric.packets(id + "count", title, "Values", TailStatistics::n).higherIsBetter());
    }

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
