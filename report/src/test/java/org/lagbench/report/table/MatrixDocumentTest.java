package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.Judgment.Outcome;
import org.lagbench.analysis.comparison.Requirement;
import org.lagbench.analysis.comparison.Verdict.Doubt;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.analysis.matrix.MatrixResult.PairSharing;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.matrix.Sharing;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.report.page.MatrixReportFile;
import org.lagbench.report.page.PageChecks;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MatrixDocumentTest {
    private static final Probe SLOW = new Probe(
            65_536,
            30e6,
            new ProbeVerdict(
                    TransferLimit.SLOW_START,
                    new Interval(12.5e6, Double.NaN, Double.NaN),
                    65_536,
                    1_000_000,
                    10,
                    1448));

    private static final MatrixResult RESULT = new MatrixResult(
            "campus-1",
            List.of("vienna", "graz"),
            MatrixResult.METRICS,
            List.of(
                    new PairResult(
                            "vienna",
                            "graz",
                            new PairMetrics(
                                    Map.of(
                                            MainMetrics.LAG,
                                            new Interval(5_000, 4_900, 5_100),
                                            MainMetrics.LOSS,
                                            new Interval(1, 0.2, 3),
                                            MainMetrics.ROUND_TRIP,
                                            new Interval(9_000, 8_000, 9_500),
                                            PairMetrics.RATE,
                                            new Interval(12.5, Double.NaN, Double.NaN)),
                                    Set.of(MainMetrics.ROUND_TRIP),
                                    List.of(new RunMark("0002-udp-200-r1 (43 %)", "Others used CPUs.", true)),
                                    5,
                                    Instant.ofEpochSecond(1_790_000_000, 500_000_000),
                                    null,
                                    List.of(SLOW),
                                    Optional.empty()),
                            null),
                    new PairResult("graz", "vienna", null, "No receiver answers at graz <b>.")),
            List.of(
                    new PairSharing(1, "vienna/graz", "linz/wels", Sharing.SHARED, 0.99, "delays"),
                    new PairSharing(1, "vienna/graz", "enns/steyr", Sharing.APART, 0.01, "delays"),
                    new PairSharing(1, "vienna/graz", "enns/steyr", Sharing.SHARED, 0.99, "rates")));

    @Test
    void showsDashAndReasonForFailedPair() {
        assertThat(MatrixDocument.result(RESULT).text(TableFormat.TEXT).replaceAll("\\n  ", " "))
                .containsPattern("(?m)^vienna +5\\.00$")
                .containsPattern("(?m)^graz +–$")
                .containsPattern("(?m)^vienna +12\\.5 s$")
                .containsPattern("(?m)^A +vienna → graz, linz → wels$")
                .contains("2 found: shared, 1 found: apart, 0 found: uncertain")
                .contains("s: still in slow start")
                .contains(
                        "vienna → graz: Others used CPUs. They used 43 % in 1 of 5 runs (0002-udp-200-r1 (43 %)), which"
                                + " is spoiled: no verdict uses it.")
                .contains("graz → vienna: No receiver answers at graz <b>.");
    }

    @Test
    void writesOpenMetricsInBaseUnits() {
        String pair = "{from=\"vienna\",to=\"graz\"";
        assertThat(MatrixOpenMetrics.text(RESULT).lines())
                .filteredOn(line -> !line.startsWith("# HELP") && !line.startsWith("# TYPE"))
                .containsExactly(
                        "lagbench_pair_lag_median_seconds" + pair + "} 0.005",
                        "lagbench_pair_loss_ratio" + pair + "} 0.01",
                        "lagbench_pair_round_trip_median_seconds" + pair + "} 0.009",
                        "lagbench_pair_rate_bytes_per_second" + pair + "} 1562500.0",
                        "lagbench_pair_measured_timestamp_seconds" + pair + "} 1.7900000005E9",
                        "lagbench_pair_failed" + pair + "} 0.0",
                        "lagbench_pair_failed{from=\"graz\",to=\"vienna\"} 1.0",
                        "# EOF");
    }

    @Test
    void writesRowForEachPair() {
        assertThat(MatrixDocument.result(RESULT).text(TableFormat.CSV).lines())
                .containsExactly(
                        "from,to,lag_median_us,lag_median_us_low,lag_median_us_high,loss_percent,loss_percent_low,"
                                + "loss_percent_high,round_trip_median_us,round_trip_median_us_low,"
                                + "round_trip_median_us_high,rate_mbit_per_s,rate_mbit_per_s_low,rate_mbit_per_s_high,"
                                + "clock_bound_ns,verdict,failure",
                        "vienna,graz,5000.0,4900.0,5100.0,1.0,0.2,3.0,9000.0,8000.0,9500.0,12.5,,,,slow-start,",
                        "graz,vienna,,,,,,,,,,,,,,,No receiver answers at graz <b>.");
    }

    /** A new metric needs nothing here. */
    @Test
    void showsEachJudgedMetricWithItsUnit() {
        List<Metric<?>> all = MetricRegistry.all().stream()
                .filter(metric -> metric.combination() != Combination.NOT_JUDGED)
                .<Metric<?>>map(metric -> MetricRegistry.of(metric.id().replace("*", "x")))
                .toList();
        Map<Metric<?>, Interval> values = all.stream()
                .collect(Collectors.toMap(
                        metric -> metric, metric -> new Interval(12 + all.indexOf(metric), Double.NaN, Double.NaN)));
        PairMetrics metrics = new PairMetrics(values, Set.of(), List.of(), 1, null, null, List.of(), Optional.empty());
        PairResult pair = new PairResult("vienna", "graz", metrics, null);
        MatrixResult result = new MatrixResult("campus-1", List.of("vienna", "graz"), all, List.of(pair), List.of());
        String text = MatrixDocument.result(result).text(TableFormat.TEXT);
        List<List<String>> csv = MatrixDocument.result(result)
                .text(TableFormat.CSV)
                .lines()
                .map(line -> List.of(line.split(",", -1)))
                .toList();
        JsonNode json = JsonMapper.builder()
                .build()
                .readTree(MatrixDocument.result(result).text(TableFormat.JSON))
                .at("/pairs/0/metrics");
        String openMetrics = MatrixOpenMetrics.text(result);

        assertThat(all).hasSizeGreaterThan(300).allSatisfy(metric -> {
            String name = MetricNames.inSentence(metric);
            assertThat(text)
                    .containsPattern("(?m)^"
                            + Pattern.quote(name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + " in "
                                    + metric.unit())
                            + "$");
            double value = values.get(metric).value();
            int column = csv.get(0).indexOf(MetricNames.column(metric));
            assertThat(csv.get(0).get(column + 1)).isEqualTo(MetricNames.column(metric) + "_low");
            assertThat(Double.parseDouble(csv.get(1).get(column))).isEqualTo(value);
            assertThat(json.get(metric.id()).asDouble()).isEqualTo(value);
            assertThat(openMetrics)
                    .containsPattern("(?m)^lagbench_pair_"
                            + MetricNames.snakeCase(metric).replaceAll("[^a-z0-9_]", "_")
                            + "[a-z_]*\\{from=\"vienna\",to=\"graz\"} "
                            + Pattern.quote(Double.toString(
                                    value / OpenMetricsUnit.of(metric.unit()).divisor()))
                            + "$");
        });
    }

    @Test
    @Tag("one-java")
    void drawsHeatMapsInPage(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("matrix.html");
        List<Judgment> judgments = new ArrayList<>();
        for (String limit :
                List.of("lag.median <= 2 ms", "loss <= 0.1 %", "roundTrip.median <= 7 ms", "rate >= 20 Mbit/s")) {
            judgments.addAll(MatrixMetrics.judge(RESULT, Requirement.parse(limit), Judgment.Basis.INTERVAL));
        }
        Summary noPoints = new Summary(RESULT.name(), false, List.of(), List.of());
        RequirementReport judged = new RequirementReport(noPoints, judgments, RequirementReport.PAIR, false);
        MatrixReportFile.write(file, RESULT, judgments, judged.addTo(MatrixDocument.result(RESULT)));

        assertThat(judgments)
                .filteredOn(row -> "vienna → graz"
                        .equals(Objects.requireNonNull(row.subject()).series()))
                .extracting(Judgment::verdict, Judgment::doubt)
                .containsExactly(
                        tuple(Outcome.UNDECIDED, Doubt.CLOCK), // there are no clocks
                        tuple(Outcome.MISSED, null),
                        tuple(Outcome.UNDECIDED, Doubt.SPOILED), // although 9 ms miss the limit
                        tuple(Outcome.UNDECIDED, Doubt.REPEATS)); // the rate has no interval
        assertThat(Files.readString(file))
                .containsOnlyOnce("<g class=\"marked\"")
                .contains("Thick frame: misses loss", "undecided (clock)");
        assertThat(Files.readString(file))
                .contains(
                        "Median transmit lag in ms",
                        "Mean rate of TCP in Mbit/s",
                        "not measured",
                        "12.5 s",
                        "s: still in slow start",
                        "Equal letters")
                .contains("No receiver answers at graz &lt;b&gt;.")
                .doesNotContain("graz <b>")
                .containsOnlyOnce(">12.5 s<"); // in the map, not in a table too
        PageChecks.checkAll(file, directory.resolve("profile"));
    }
}
