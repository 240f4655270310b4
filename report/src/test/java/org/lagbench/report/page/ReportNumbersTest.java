package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.cause.Cause;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the metrics that a browser shows with the summary. */
@Tag("one-java")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportNumbersTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The ends of the ids of the columns of a series table. */
    private static final List<String> SERIES_CELLS = List.of(
            ".median",
            ".mean",
            ".standardDeviation",
            ".q95",
            ".withoutQ95.mean",
            ".withoutQ95.standardDeviation",
            ".q99",
            ".withoutQ99.mean",
            ".withoutQ99.standardDeviation");

    private static final Map<String, String> SERIES_TITLES = Map.of(
            "Transmit lag", "lag",
            "Inter-packet delay, sent", "sendDelay",
            "Inter-packet delay, received", "receiveDelay",
            "Sender lateness", "lateness",
            "Lag from the scheduled time", "lagFromSchedule");

    private static final Map<String, String> PACKET_CELLS = Map.ofEntries(
            Map.entry("Runs", "runs"),
            Map.entry("Sent", "packets.sent"),
            Map.entry("Lost", "packets.lost"),
            Map.entry("Copies", "packets.duplicated"),
            Map.entry("Reordered", "packets.reordered"),
            Map.entry("Foreign", "foreign"),
            Map.entry("Kernel drops", "kernelDrops"),
            Map.entry("n", "lag.count"),
            Map.entry("Below 0", "packets.negativeLags"),
            Map.entry("Above Q95", "lag.withoutQ95.dropped"),
            Map.entry("Above Q99", "lag.withoutQ99.dropped"),
            Map.entry("First 1,000", "warmUp.firstQ99"),
            Map.entry("Rest", "warmUp.restQ99"));

    @AutoClose
    private ShownReport report;

    @BeforeAll
    void show(@TempDir Path directory) throws Exception {
        report = ShownReport.in(directory);
    }

    @Test
    void lagTablesMatchSummary() {
        report.open(ShownReport.WIDE, "light");
        JsonNode tables = report.tablesIn("#series");
        assertThat(tables.size()).isEqualTo(6);
        int compared = 0;
        for (JsonNode table : tables) {
            assertThat(table.get("rows").size()).isEqualTo(2);
            for (JsonNode row : table.get("rows")) {
                compared += compare(
                        table,
                        row,
                        report.pooled(row.get(0).asString(), row.get(1).asInt()));
            }
        }
        // two points: five series of nine figures, and 13 counts
        assertThat(compared).isEqualTo(2 * (5 * 9 + 13));
    }

    @Test
    void bufferTableMatchesSummary() {
        report.open(ShownReport.WIDE, "light");
        int compared = 0;
        for (JsonNode table : report.tablesIn("#buffers")) {
            for (JsonNode row : table.get("rows")) {
                JsonNode metrics =
                        report.pooled(row.get(0).asString(), row.get(1).asInt());
                if (!table.get("title").asString().equals("Socket buffers")) {
                    compared += ViewCells.compare(table, row, metrics);
                    continue;
                }
                List<Double> numbers = new ArrayList<>();
                collectNumbers(metrics, numbers);
                for (int i = 2; i < row.size(); i++) {
                    String cell = row.get(i).asString();
                    if (cell.matches("-?[\\d,]+(\\.\\d+)?")) {
                        double shown = Double.parseDouble(cell.replace(",", ""));
                        assertThat(numbers)
                                .as(table.get("title") + ": " + row)
                                .anyMatch(number -> Math.abs(number - shown) <= ViewCells.halfDigit(cell));
                        compared++;
                    }
                }
            }
        }
        // of two points: the requested and the granted size of two buffers; of one: three fill levels of four
        assertThat(compared).isEqualTo(2 * 4 + 3 * 4);
    }

    @Test
    void mediaAndPlayoutTablesMatchSummary() {
        report.open(ShownReport.WIDE, "light");
        int compared = 0;
        for (JsonNode table : report.tablesIn("#media, #playout")) {
            for (JsonNode row : table.get("rows")) {
                compared += ViewCells.compare(
                        table,
                        row,
                        report.pooled(row.get(0).asString(), row.get(1).asInt()));
            }
        }
        // of two points: media, playout and adaptive playout
        assertThat(compared).isEqualTo(2 * (13 + 13 + 8 + 4 * 7 + 5));
    }

    @Test
    void ledgerTablesMatchSummary() {
        report.open(ShownReport.WIDE, "light");
        int compared = 0;
        for (JsonNode table : report.tablesIn("#ledger")) {
            String title = table.get("title").asString();
            if (!title.startsWith("Parts of the ")) {
                continue;
            }
            String lag = "ledger." + (title.contains("transmit lag") ? "lag." : "lagFromSchedule.");
            double unitUs = Map.of("µs", 1.0, "ms", 1e3, "s", 1e6)
                    .get(table.get("units").get(5).asString());
            for (JsonNode row : table.get("rows")) {
                if (row.get(2).asString().startsWith("Others")) {
                    continue;
                }
                JsonNode metrics =
                        report.pooled(row.get(0).asString(), row.get(1).asInt());
                double median = metrics.get(lag + "median.packets").asDouble() * unitUs;
                double tail = metrics.get(lag + "tail.packets").asDouble();
                String part = part(row);
                JsonNode usual = metrics.get(lag + "median." + part + "time");
                shows(row.get(4), (usual == null ? 0 : usual.asDouble()) / median, title + part);
                shows(row.get(5), metrics.get(lag + "tail." + part + "time").asDouble() / tail / unitUs, title + part);
                double excessUs = metrics.get(lag + "tail." + part + "excess").asDouble();
                shows(row.get(6), excessUs / tail / unitUs, title + part);
                shows(row.get(7), metrics.get(lag + "tail." + part + "packets"), title);
                compared++;
            }
        }
        // of one point, for each of two lags: the collection, what is not explained, and the lag, or more
        assertThat(compared).isGreaterThanOrEqualTo(2 * 3);
    }

    /** Returns the middle of the ids of the metrics in a row of a ledger. */
    private static String part(JsonNode row) {
        String title = row.get(2).asString();
        return title.equals("Lag")
                ? ""
                : Stream.of(Cause.values())
                        .filter(cause -> cause.title(null).equals(title))
                        .findAny()
                        .map(cause -> "parts." + row.get(3).asString() + "." + cause.text() + ".")
                        .orElse("notExplained.");
    }

    @Test
    void runSectionsMatchSummary() {
        report.open(ShownReport.WIDE, "light");
        int compared = 0;
        for (int number = 0; number < 3; number++) {
            String name = String.valueOf(
                    report.browser().run("return document.querySelector('#run-" + number + " h3').textContent"));
            for (JsonNode table : report.tablesIn("#run-" + number)) {
                compared += compare(table, table.get("rows").get(0), report.run(name));
            }
        }
        assertThat(compared).isEqualTo(3 * (5 * 9 + 13));
    }

    @Test
    void embedsSummary() {
        report.open(ShownReport.WIDE, "light");
        Object data = report.browser().run("return document.getElementById('summary').textContent");
        assertThat(JSON.readTree(String.valueOf(data)).equals(report.summary())).isTrue();
    }

    /** Compares the cells after the columns that distinguish rows; returns their number. */
    private static int compare(JsonNode table, JsonNode row, JsonNode metrics) {
        String title = table.get("title").asString();
        int compared = 0;
        if (title.equals("Packets")) {
            for (int i = 2; i < row.size(); i++) {
                String header = table.get("headers").get(i).asString();
                assertThat(PACKET_CELLS).containsKey(header);
                shows(row.get(i), metrics.get(PACKET_CELLS.get(header)), title + ", " + header);
                compared++;
            }
            return compared;
        }
        String series = SERIES_TITLES.get(title.replaceFirst(" ± 1 ns \\(one kernel\\)", ""));
        assertThat(series).as(title).isNotNull();
        int first = 2;
        if (table.get("headers").get(first).asString().equals("Lost")) {
            assertThat(row.get(first).asString())
                    .isEqualTo(String.format(
                            Locale.ROOT, "! %.2f", metrics.get("loss").asDouble()));
            first++;
        }
        for (String place : SERIES_CELLS) {
            shows(row.get(first + compared), metrics.get(series + place), title + ", " + place);
            compared++;
        }
        if (row.size() > first + compared) {
            assertThat(row.get(first + compared).asString())
                    .isEqualTo("± " + Math.round(metrics.get("clock.bound").asDouble() * 1e3) + " ns");
            assertThat(row.get(first + 1 + compared).asString()).isEqualTo("one kernel");
        }
        return compared;
    }

    /** Asserts that a cell shows the number, rounded to its digits. */
    private static void shows(JsonNode cell, JsonNode number, String what) {
        assertThat(number).as(what + " in the summary").isNotNull();
        shows(cell, number.asDouble(), what);
    }

    private static void shows(JsonNode cell, double number, String what) {
        ViewCells.shows(cell, number, what);
    }

    private static void collectNumbers(JsonNode node, List<Double> numbers) {
        if (node.isNumber()) {
            numbers.add(node.asDouble());
        }
        node.forEach(child -> collectNumbers(child, numbers));
    }
}
