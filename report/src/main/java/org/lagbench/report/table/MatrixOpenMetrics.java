package org.lagbench.report.table;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.text.Units;

/**
 * A matrix as metrics for Prometheus, in base units, with the sites as the labels {@code from} and {@code to}. The text
 * is valid OpenMetrics 1.0, and also in the older format that the textfile collector of the node exporter reads. A
 * value that was not measured has no sample.
 */
public final class MatrixOpenMetrics {
    private static final String PREFIX = "lagbench_pair_";

    private final MatrixResult result;
    private final StringBuilder text = new StringBuilder();

    private MatrixOpenMetrics(MatrixResult result) {
        this.result = result;
    }

    /** Returns the metrics of all pairs. */
    public static String text(MatrixResult result) {
        return new MatrixOpenMetrics(result).format();
    }

    private String format() {
        for (Metric<?> metric : result.metrics()) {
            OpenMetricsUnit unit = OpenMetricsUnit.of(metric.unit());
            String end = "_" + unit.name();
            String name = MetricNames.snakeCase(metric).replaceAll("[^a-z0-9_]", "_");
            gauge(
                    name.endsWith(end) ? name : name + end,
                    MetricScale.capitalized(MetricNames.inSentence(metric)) + ".",
                    metrics -> {
                        Interval interval = metrics.values().get(metric);
                        return interval == null ? Double.NaN : interval.value() / unit.divisor();
                    });
        }
        gauge("lag_error_seconds", "Bound of the error of a lag because of the clocks.", metrics -> {
            Long boundNs = metrics.clock() == null ? null : metrics.clock().boundNs();
            return boundNs == null ? Double.NaN : boundNs / Units.NS_PER_S;
        });
        gauge("measured_timestamp_seconds", "When the last run of the pair ended.", metrics -> {
            Instant measuredAt = metrics.measuredAt();
            return measuredAt == null
                    ? Double.NaN
                    : Duration.between(Instant.EPOCH, measuredAt).toMillis() / Units.MS_PER_S;
        });
        family("failed", "1 if the measurement is missing or incomplete.");
        result.pairs().forEach(pair -> sample("failed", pair, pair.failure() == null ? 0 : 1));
        return text.append("# EOF\n").toString();
    }

    private void gauge(String name, String help, Function<PairMetrics, Double> reader) {
        family(name, help);
        for (PairResult pair : result.pairs()) {
            if (pair.metrics() != null) {
                sample(name, pair, reader.apply(pair.metrics()));
            }
        }
    }

    private void family(String name, String help) {
        text.append("# HELP ")
                .append(PREFIX)
                .append(name)
                .append(' ')
                .append(help)
                .append('\n');
        text.append("# TYPE ").append(PREFIX).append(name).append(" gauge\n");
    }

    private void sample(String name, PairResult pair, double value) {
        if (Double.isFinite(value)) {
            text.append(PREFIX)
                    .append(name)
                    .append("{from=\"")
                    .append(pair.from())
                    .append("\",to=\"");
            text.append(pair.to()).append("\"} ").append(value).append('\n');
        }
    }
}
