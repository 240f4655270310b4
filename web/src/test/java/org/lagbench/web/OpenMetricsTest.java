package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.report.table.MatrixOpenMetrics;
import org.lagbench.web.LiveSeries.SeriesSnapshot;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OpenMetricsTest {
    /** The Accept header of Prometheus 2.42. */
    private static final String PROMETHEUS = "application/openmetrics-text;version=1.0.0,"
            + "application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

    private static final Path FILES = Path.of("prometheus");
    private static final Pattern METRIC = Pattern.compile("\\blagbench_[a-z_]+");
    private static final String WITHOUT_UNIT =
            "target=\"192.0.2.7\",series=\"rtt.nodelay\",title=\"Round trip \\\"Nagle off\\\"\"";
    private static final String LABELS = WITHOUT_UNIT + ",unit=\"ns\"";

    private static final long LAST_NS = 1_020_000_000_000L;

    private static LiveResponse metrics(String accept) {
        List<SeriesSnapshot> series = List.of(
                snapshot("rtt.nodelay", "Round trip \"Nagle off\"", "ns"),
                snapshot("udp.loss", "loss", "%"),
                snapshot("tcp.throughput", "throughput", "Mbit/s"));
        return OpenMetrics.answer(series, accept, LAST_NS + 1_500_000_000L);
    }

    private static SeriesSnapshot snapshot(String name, String title, String unit) {
        SeriesInfo info = new SeriesInfo(name, title, unit, 10_000_000_000L, SeriesInfo.Domain.ANY, "192.0.2.7");
        Map<Integer, Long> counts = Map.of(SeriesState.OK, 2L, SeriesState.MISSED, 1L, SeriesState.CLOCK_STEP, 4L);
        return new SeriesSnapshot(
                info,
                1_000_000_000_000L,
                LAST_NS,
                LAST_NS,
                12.5,
                SeriesState.OK,
                counts,
                25,
                22,
                28,
                10,
                15,
                "doubling");
    }

    @Test
    void writesOpenMetricsForPrometheus() {
        LiveResponse response = metrics(PROMETHEUS);
        assertThat(response.type()).isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(response.body().lines())
                .contains(
                        "# TYPE lagbench_probe_value_seconds gauge",
                        "# TYPE lagbench_series_values counter",
                        "lagbench_probe_value_seconds{" + WITHOUT_UNIT + "} 1.25E-8",
                        "lagbench_probe_expected_low_seconds{" + WITHOUT_UNIT + "} 1.0E-8",
                        "lagbench_probe_expected_high_seconds{" + WITHOUT_UNIT + "} 1.5E-8",
                        "lagbench_probe_forecast_seconds{" + WITHOUT_UNIT + "} 2.5E-8",
                        "lagbench_probe_forecast_low_seconds{" + WITHOUT_UNIT + "} 2.2E-8",
                        "lagbench_probe_forecast_high_seconds{" + WITHOUT_UNIT + "} 2.8E-8",
                        "lagbench_probe_value_ratio{target=\"192.0.2.7\",series=\"udp.loss\","
                                + "title=\"loss\"} 0.125",
                        "lagbench_probe_value_bytes_per_second{target=\"192.0.2.7\",series=\"tcp.throughput\","
                                + "title=\"throughput\"} 1562500.0",
                        "lagbench_series_value_age_seconds{" + LABELS + "} 1.5",
                        "lagbench_series_period_seconds{" + LABELS + "} 10.0",
                        "lagbench_series_forecaster{" + LABELS + ",forecaster=\"doubling\"} 1",
                        "lagbench_series_values_total{" + LABELS + "} 2",
                        "lagbench_series_missing_total{" + LABELS + ",reason=\"missed\"} 1",
                        "lagbench_series_missing_total{" + LABELS + ",reason=\"clock-step\"} 4")
                .allMatch(line -> line.matches("# (HELP|TYPE) lagbench_[a-z_]+ .+"
                        + "|lagbench_[a-z_]+\\{([a-z]+=\"([^\"\\\\\n]|\\\\[\\\\\"n])*\",?)+} -?[0-9.E-]+|# EOF"))
                .endsWith("# EOF");
        assertThat(response.body()).endsWith("\n# EOF\n");
    }

    /** Otherwise the alert for series without values would not fire. */
    @Test
    void hasAgeOfSeriesThatNeverHadValue() {
        SeriesSnapshot known = snapshot("rtt.dead", "dead", "ns");
        SeriesSnapshot without = new SeriesSnapshot(
                known.info(),
                known.firstNs(),
                LAST_NS,
                0,
                Double.NaN,
                SeriesState.MISSED,
                Map.of(SeriesState.MISSED, 3L),
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                "");
        assertThat(OpenMetrics.answer(List.of(without), PROMETHEUS, known.firstNs() + 30_000_000_000L)
                        .body())
                .containsPattern("lagbench_series_value_age_seconds\\{.*\\} 30\\.0\n");
    }

    /** In the Prometheus format, the family of a counter has the name of its samples. */
    @Test
    void writesPrometheusTextForOtherClients() {
        LiveResponse response = metrics("*/*");
        assertThat(response.type()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        assertThat(response.body()).doesNotContain("EOF");
        assertThat(response.body().lines())
                .contains(
                        "# TYPE lagbench_probe_value_seconds gauge",
                        "# TYPE lagbench_series_values_total counter",
                        "# HELP lagbench_series_missing_total Probes in the session that gave no value, by reason.")
                .filteredOn(line -> !line.startsWith("#"))
                .containsExactlyElementsOf(metrics(PROMETHEUS)
                        .body()
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .toList());
    }

    @Test
    void isAcceptedByPromtool() throws Exception {
        String path = String.valueOf(System.getenv("PATH"));
        assumeTrue(
                Stream.of(path.split(File.pathSeparator)).anyMatch(one -> Files.isExecutable(Path.of(one, "promtool"))),
                "there is no promtool on this machine (package prometheus)");
        Process promtool = new ProcessBuilder("promtool", "check", "metrics")
                .redirectErrorStream(true)
                .start();
        promtool.getOutputStream().write(metrics("").body().getBytes(StandardCharsets.UTF_8));
        promtool.getOutputStream().close();
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(output).isZero();
    }

    /** Returns what a monitor and a matrix export. */
    private static String exported() {
        PairResult pair = new PairResult("vienna", "graz", null, "No receiver answers.");
        return metrics("").body()
                + MatrixOpenMetrics.text(
                        new MatrixResult("campus", List.of(), MatrixResult.METRICS, List.of(pair), List.of()));
    }

    private static Set<String> labels() {
        Set<String> labels = new HashSet<>(matches("[{,]([a-z]+)=\"", exported()));
        labels.add("instance"); // Prometheus adds it
        return labels;
    }

    static List<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void shippedFilesNameExportedMetricsAndLabels(Path file) throws Exception {
        Set<String> samples = matches("(?m)^# TYPE (lagbench_[a-z_]+)", exported());
        Set<String> labels = labels();
        String text = Files.readString(file);
        assertThat(samples)
                .containsAll(METRIC.matcher(text)
                        .results()
                        .map(MatchResult::group)
                        .filter(name -> !name.endsWith("_"))
                        .collect(Collectors.toSet()));
        assertThat(labels)
                .containsAll(matches("lagbench_[a-z_]+\\{([a-z]+)=~?", text))
                .containsAll(matches("\\$labels\\.([a-z]+)", text))
                .containsAll(matches("without \\(([a-z]+)\\)", text));
    }

    @Test
    void everyPanelOfDashboardShowsExportedMetrics() throws Exception {
        Set<String> samples = matches("(?m)^# TYPE (lagbench_[a-z_]+)", exported());
        Set<String> labels = labels();
        JsonNode panels = JsonMapper.builder()
                .build()
                .readTree(Files.readString(FILES.resolve("grafana.json")))
                .get("panels");
        assertThat(panels)
                .isNotEmpty()
                .filteredOn(panel -> !panel.get("type").asString().equals("row"))
                .allSatisfy(panel -> {
                    assertThat(panel.get("targets"))
                            .as(panel.get("title").asString())
                            .isNotEmpty();
                    for (JsonNode target : panel.get("targets")) {
                        assertThat(matches(METRIC.pattern(), target.get("expr").asString()))
                                .isNotEmpty()
                                .isSubsetOf(samples);
                        assertThat(labels).containsAll(matches("\\{\\{ *([a-z]+) *}}", String.valueOf(target)));
                    }
                });
    }

    /** Returns the first group of each match, or all of it if there is no group. */
    private static Set<String> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.groupCount() == 0 ? match.group() : match.group(1))
                .collect(Collectors.toSet());
    }
}
