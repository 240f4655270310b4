package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesInfo.Domain;
import org.lagbench.web.LiveSeries.SeriesSnapshot;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LiveMonitorTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path directory;

    private final List<LagbenchException> failures = new CopyOnWriteArrayList<>();
    private RecordedSeries recorded;
    private LiveMonitor monitor;

    @BeforeEach
    void record() throws LagbenchException {
        recorded = new RecordedSeries(directory, RecordedSeries.FIRST_NS);
    }

    @AfterEach
    void close() throws LagbenchException {
        recorded.close();
    }

    private void open() throws LagbenchException {
        monitor = new LiveMonitor(directory, "192.0.2.7", recorded.series(), failures::add);
        monitor.refresh(() -> false);
    }

    private JsonNode range(int from, int until, int columns) throws Exception {
        String fromMs = Long.toString(recorded.atNs(from) / 1_000_000);
        String untilMs = Long.toString(recorded.atNs(until) / 1_000_000);
        return JSON.readTree(monitor.sources()
                .get("/range")
                .answer(
                        Map.of(
                                "series",
                                "rtt.nodelay",
                                "from",
                                fromMs,
                                "until",
                                untilMs,
                                "columns",
                                Integer.toString(columns)),
                        "")
                .body());
    }

    /** Returns a forecaster that has learned these values. */
    private static SeriesForecaster forecaster(double... values) {
        SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, 1, Domain.ANY);
        Arrays.stream(values).forEach(forecaster::learn);
        return forecaster;
    }

    @Test
    void showsForecastMadeBeforeEachValue() throws Exception {
        double[] values = {10, 12, Double.NaN, 11};
        for (double value : values) {
            recorded.add(value);
        }
        open();
        JsonNode range = range(0, 4, 100);
        JsonNode columns = range.get("columns");
        assertThat(columns.get(0)).isEqualTo(JSON.readTree("[0.0, 10.0, 10.0, 10.0, null, null, 0, -1]"));
        for (int i = 1; i < 4; i++) {
            SeriesForecaster before = forecaster(Arrays.copyOf(values, i));
            JsonNode column = columns.get(i);
            assertThat(column.get(0).asDouble()).isEqualTo(10 * i);
            assertThat(column.get(1).isNull()).isEqualTo(Double.isNaN(values[i]));
            assertThat(column.get(4).asDouble()).isCloseTo(before.next(), within(1e-6));
            assertThat(column.get(6).asInt()).isEqualTo(Double.isNaN(values[i]) ? 1 : 0);
            assertThat(range.get("forecasters").get(column.get(7).asInt()).asString())
                    .isEqualTo(before.selected());
        }
        SeriesSnapshot snapshot = monitor.snapshots().get(0);
        assertThat(snapshot.next()).isEqualTo(forecaster(values).next());
        assertThat(snapshot.values()).isEqualTo(3);
        assertThat(snapshot.missing()).isEqualTo(1);
    }

    /** A session that continues after midnight has another file. */
    @Test
    void followsNewRecordsIntoNextDay() throws Exception {
        recorded.close();
        recorded = new RecordedSeries(directory, 86_390_000_000_000L);
        recorded.add(1);
        open();
        try (EventLog.Subscription events = monitor.events().subscribe(null)) {
            recorded.add(5);
            recorded.add(Double.NaN);
            monitor.refresh(() -> false);
            List<String> got = new ArrayList<>();
            while (got.size() < 4) {
                got.add(events.next(10));
            }
            JsonNode first =
                    JSON.readTree(got.get(2).replaceFirst("(?s).*data: ", "")).get("data");
            assertThat(first.get("value").asDouble()).isEqualTo(5);
            assertThat(first.get("next").asDouble()).isEqualTo(forecaster(1, 5).next());
            assertThat(first.get("lastS").asDouble()).isEqualTo(86_400);
            JsonNode second =
                    JSON.readTree(got.get(3).replaceFirst("(?s).*data: ", "")).get("data");
            assertThat(second.get("value").asDouble()).as("the last value").isEqualTo(5);
            assertThat(second.get("valueS").asDouble()).isEqualTo(86_400);
            assertThat(second.get("state").asString()).isEqualTo("missed");
        }
        assertThat(range(0, 9, 10).get("columns")).hasSize(3);
        assertThat(failures).isEmpty();
    }

    @Test
    void reportsFileThatIsNoSeries() throws Exception {
        recorded.add(1);
        open();
        Files.writeString(directory.resolve("series/rtt.nodelay.2026-01-01.npy"), "x".repeat(1_000));
        monitor.refresh(() -> false);
        monitor.refresh(() -> false);
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).sentence()).contains("rtt.nodelay.2026-01-01.npy is not the file of a series");
    }

    /** Compares columns with sums over the values. */
    @Test
    void summarizesManyValuesByColumns() throws Exception {
        int count = 15_000;
        double[] values = new Random(7).doubles(count).toArray();
        double[] forecasts = new double[count];
        SeriesForecaster forecaster = forecaster();
        for (int i = 0; i < count; i++) {
            double value = i % 100 == 3 ? Double.NaN : values[i];
            forecasts[i] = forecaster.next();
            forecaster.learn(value);
            recorded.add(value);
        }
        open();
        JsonNode columns = range(3_000, 13_000, 100).get("columns");
        assertThat(columns).hasSize(100);
        for (int c = 0; c < 100; c++) {
            double sum = 0;
            double min = 2;
            double max = -1;
            double forecastSum = 0;
            for (int i = 3_000 + 100 * c; i < 3_100 + 100 * c; i++) {
                boolean isMissing = i % 100 == 3;
                sum += isMissing ? 0 : values[i];
                min = isMissing ? min : Math.min(min, values[i]);
                max = isMissing ? max : Math.max(max, values[i]);
                forecastSum += forecasts[i];
            }
            JsonNode column = columns.get(c);
            assertThat(column.get(0).asDouble()).isCloseTo(1_000 * c + 500, within(.01));
            assertThat(column.get(1).asDouble()).isCloseTo(sum / 99, within(1e-6));
            assertThat(column.get(2).asDouble()).isCloseTo(min, within(1e-6));
            assertThat(column.get(3).asDouble()).isCloseTo(max, within(1e-6));
            assertThat(column.get(4).asDouble()).isCloseTo(forecastSum / 100, within(1e-6));
            assertThat(column.get(6).asInt()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "x,0,1,1",
        "rtt.nodelay,2,1,1",
        "rtt.nodelay,0,1,0",
        "rtt.nodelay,0,1,4001",
        "rtt.nodelay,-1,1,10",
        "rtt.nodelay,0,99999999999999,10",
        "rtt.nodelay,0,,10"
    })
    void refusesWrongRanges(String series, String from, @Nullable String until, String columns) throws Exception {
        recorded.add(1);
        open();
        Map<String, String> query = new HashMap<>(Map.of("series", series, "from", from, "columns", columns));
        if (until != null) {
            query.put("until", until);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> monitor.sources().get("/range").answer(query, ""));
    }
}
