package org.lagbench.report.table;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.SeriesStatistics;
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
        family("lag_seconds", "Quantiles of the lag.");
        for (PairResult pair : result.pairs()) {
            SeriesStatistics lags =
                    pair.metrics() == null ? null : pair.metrics().lags();
            if (lags != null) {
                quantile(pair, "0.5", lags.medianNs());
                quantile(pair, "0.95", lags.withoutQ95().quantileNs());
                quantile(pair, "0.99", lags.withoutQ99().quantileNs());
            }
        }
        gauge("lag_error_seconds", "Bound of the error of a lag because of the clocks.", metrics -> {
            Long boundNs = metrics.clock() == null ? null : metrics.clock().boundNs();
            return boundNs == null ? Double.NaN : boundNs / Units.NS_PER_S;
        });
        gauge("loss_ratio", "Share of the packets that did not arrive.", metrics -> value(metrics.loss()));
        gauge("round_trip_seconds", "Median round trip.", metrics -> value(metrics.roundTripNs()) / Units.NS_PER_S);
        gauge("rate_bytes_per_second", "Rate of TCP.", metrics -> value(metrics.rate()) / Units.BITS_PER_BYTE);
        gauge("measured_timestamp_seconds", "When the last run of the pair ended.", metrics -> {
            Instant measuredAt = metrics.measuredAt();
            return measuredAt == null
                    ? Double.NaN
                    : Duration.between(Instant.EPOCH, measuredAt).toMillis() / Units.MS_PER_S;
        });
        family("failed", "1 if the measurement is missing or incomplete.");
        result.pairs().forEach(pair -> sample("failed", pair, "", pair.failure() == null ? 0 : 1));
        return text.append("# EOF\n").toString();
    }

    private static double value(@Nullable Interval interval) {
        return interval == null ? Double.NaN : interval.value();
    }

    private void quantile(PairResult pair, String quantile, double ns) {
        sample("lag_seconds", pair, ",quantile=\"" + quantile + "\"", ns / Units.NS_PER_S);
    }

    private void gauge(String name, String help, Function<PairMetrics, Double> reader) {
        family(name, help);
        for (PairResult pair : result.pairs()) {
            if (pair.metrics() != null) {
                sample(name, pair, "", reader.apply(pair.metrics()));
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

    private void sample(String name, PairResult pair, String label, double value) {
        if (Double.isFinite(value)) {
            text.append(PREFIX)
                    .append(name)
                    .append("{from=\"")
                    .append(pair.from())
                    .append("\",to=\"");
            text.append(pair.to())
                    .append('"')
                    .append(label)
                    .append("} ")
                    .append(value)
                    .append('\n');
        }
    }
}
