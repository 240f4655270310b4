package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.SeriesStatistics.TrimmedStatistics;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/** The metrics of a series of durations. */
final class SeriesMetrics {
    /** Where the statistics of a series are shown. */
    enum Shown {
        /** The median stands for the series, and the quantiles are compared. */
        MAIN,
        /** The median and the quantiles are compared. */
        COMPARED,
        NOWHERE;

        private Metric<SeriesStatistics> mark(Statistic statistic, Metric<SeriesStatistics> metric) {
            boolean isQuantile = statistic == Statistic.Q95 || statistic == Statistic.Q99;
            if (this == MAIN && statistic == Statistic.MEDIAN) {
                return metric.main();
            }
            return this != NOWHERE && (isQuantile || statistic == Statistic.MEDIAN) ? metric.compared() : metric;
        }
    }

    private SeriesMetrics() {}

    /**
     * Returns the metrics of a series.
     *
     * @param id the beginning of their ids, with its dot
     * @param clocks marks those that depend on the clocks, as the series does
     */
    static List<Metric<SeriesStatistics>> of(
            String id, String title, Shown shown, UnaryOperator<Metric<SeriesStatistics>> clocks) {
        List<Metric<SeriesStatistics>> metrics = new ArrayList<>();
        for (Statistic statistic : Statistic.values()) {
            Combination combination =
                    switch (statistic) {
                        case MINIMUM -> Combination.MIN;
                        case MAXIMUM -> Combination.MAX;
                        default -> Combination.MEDIAN;
                    };
            metrics.add(clocks.apply(shown.mark(
                    statistic,
                    Metric.time(id + statistic.id(), title, statistic.title(), combination, statistic::ns))));
        }
        metrics.add(Metric.packets(id + "count", title, "Values", SeriesStatistics::n)
                .higherIsBetter());
        addTrimmed(metrics, id, title, Statistic.Q95, SeriesStatistics::withoutQ95, clocks);
        addTrimmed(metrics, id, title, Statistic.Q99, SeriesStatistics::withoutQ99, clocks);
        return metrics;
    }

    private static void addTrimmed(
            List<Metric<SeriesStatistics>> metrics,
            String id,
            String title,
            Statistic quantile,
            Function<SeriesStatistics, TrimmedStatistics> trimmed,
            UnaryOperator<Metric<SeriesStatistics>> clocks) {
        String name = quantile.title();
        String beginning = id + "without" + name + ".";
        metrics.add(clocks.apply(Metric.time(
                        beginning + "mean", title, "Mean up to " + name, Combination.MEDIAN, TrimmedStatistics::meanNs)
                .within(trimmed)));
        metrics.add(clocks.apply(Metric.time(
                        beginning + "standardDeviation",
                        title,
                        "SD up to " + name,
                        Combination.MEDIAN,
                        TrimmedStatistics::standardDeviationNs)
                .within(trimmed)));
        metrics.add(Metric.packets(beginning + "dropped", title, "Values above " + name, TrimmedStatistics::dropped)
                .within(trimmed));
    }
}
