package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.web.RecordedSeries.Doubling;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LiveMonitorTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path directory;

    private final RecordedSeries recorded = new RecordedSeries(RecordedSeries.FIRST_NS);
    private LiveMonitor monitor;

    @AfterEach
    void close() {
        monitor.close();
    }

    private void open() throws Exception {
        monitor = LiveMonitor.open(recorded, directory, Doubling::new);
        awaitForecast();
    }

    private void awaitForecast() {
        await().until(() -> !monitor.snapshots().get(0).forecaster().isEmpty());
    }

    private JsonNode range(int from, int until, int columns) throws Exception {
        String fromMs = Long.toString(recorded.atNs(from) / 1_000_000);
        String untilMs = Long.toString(recorded.atNs(until) / 1_000_000);
        return JSON.readTree(monitor.sources()
                .get("/range")
                .answer(Map.of(
                        "series",
                        "rtt.nodelay",
                        "from",
                        fromMs,
                        "until",
                        untilMs,
                        "columns",
                        Integer.toString(columns)))
                .body());
    }

    @Test
    void showsForecastMadeBeforeEachValue() throws Exception {
        List.of(10.0, 12.0, Double.NaN, 11.0).forEach(recorded::add);
        open();
        assertThat(range(0, 4, 100))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"columns": [[0.000, 10.0, 10.0, 10.0, null, null, 0, -1],
                                             [10.000, 12.0, 12.0, 12.0, 20.0, 3.0, 0, 0],
                                             [20.000, null, null, null, 24.0, 3.0, 1, 0],
                                             [30.000, 11.0, 11.0, 11.0, 24.0, 3.0, 0, 0]],
                                 "forecasters": ["doubling"]}
                                """));
        SeriesSnapshot snapshot = monitor.snapshots().get(0);
        assertThat(snapshot.next()).isEqualTo(22);
        assertThat(snapshot.values()).isEqualTo(3);
        assertThat(snapshot.missing()).isEqualTo(1);
    }

    @Test
    void followsNewRecords() throws Exception {
        recorded.add(1);
        open();
        try (EventSubscription events = monitor.events().subscribe(null)) {
            recorded.add(5);
            recorded.add(Double.NaN);
            List<String> got = new ArrayList<>();
            while (got.size() < 4) {
                got.add(events.next(10));
            }
            JsonNode first =
                    JSON.readTree(got.get(2).replaceFirst("(?s).*data: ", "")).get("data");
            assertThat(first.get("value").asDouble()).isEqualTo(5);
            assertThat(first.get("next").asDouble()).isEqualTo(10);
            assertThat(first.get("lastS").asDouble()).isEqualTo(1_010);
            JsonNode second =
                    JSON.readTree(got.get(3).replaceFirst("(?s).*data: ", "")).get("data");
            assertThat(second.get("value").asDouble()).as("the last value").isEqualTo(5);
            assertThat(second.get("valueS").asDouble()).isEqualTo(1_010);
            assertThat(second.get("state").asString()).isEqualTo("missed");
        }
        assertThat(range(0, 9, 10).get("columns")).hasSize(3);
    }

    /** Compares columns with sums over the values. */
    @Test
    void summarizesManyValuesByColumns() throws Exception {
        int count = 150_000;
        double[] values = new Random(7).doubles(count).toArray();
        for (int i = 0; i < count; i++) {
            recorded.add(i % 1_000 == 3 ? Double.NaN : values[i]);
        }
        open();
        JsonNode columns = range(30_000, 130_000, 100).get("columns");
        assertThat(columns).hasSize(100);
        for (int c = 0; c < 100; c++) {
            double sum = 0;
            double least = 2;
            double greatest = -1;
            double forecasts = 0;
            for (int i = 30_000 + 1_000 * c; i < 31_000 + 1_000 * c; i++) {
                boolean isMissing = i % 1_000 == 3;
                sum += isMissing ? 0 : values[i];
                least = isMissing ? least : Math.min(least, values[i]);
                greatest = isMissing ? greatest : Math.max(greatest, values[i]);
                forecasts += 2 * values[(i - 1) % 1_000 == 3 ? i - 2 : i - 1];
            }
            JsonNode column = columns.get(c);
            assertThat(column.get(0).asDouble()).isCloseTo(10_000 * c + 5_000, within(.01));
            assertThat(column.get(1).asDouble()).isCloseTo(sum / 999, within(1e-6));
            assertThat(column.get(2).asDouble()).isCloseTo(least, within(1e-6));
            assertThat(column.get(3).asDouble()).isCloseTo(greatest, within(1e-6));
            assertThat(column.get(4).asDouble()).isCloseTo(forecasts / 1_000, within(1e-6));
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
                .isThrownBy(() -> monitor.sources().get("/range").answer(query));
    }
}
