package org.lagbench.report.table;

import java.util.List;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.Metric;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;

/** The main figures of each point in one line, for a glance or a log. */
public final class BriefLines {
    private static final List<Metric> METRICS = List.of(
            Metric.ROUND_TRIP,
            Metric.of("roundTrip.q99"),
            Metric.LAG,
            Metric.of("lag.q99"),
            Metric.LOSS,
            Metric.RECEIVE_RATE,
            Metric.THROUGHPUT);

    private BriefLines() {}

    /** Returns lines such as "UDP/IP, 992 bytes: Transmit lag Median 14.2 µs, ..., Loss Share 0 %". */
    public static List<String> of(Summary summary) {
        PointNames names = new PointNames(summary);
        return summary.points().stream()
                .map(point -> names.full(point.point()) + ": " + figures(point))
                .toList();
    }

    private static String figures(PointSummary point) {
        PointKey key = point.point();
        return METRICS.stream()
                .filter(metric -> !Double.isNaN(metric.value(key, point.pooled())))
                .map(metric -> metric.title() + " " + metric.statistic() + " "
                        + Numbers.significant(3, metric.value(key, point.pooled())) + " " + metric.unit())
                .collect(Collectors.joining(", "));
    }
}
