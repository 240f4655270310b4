package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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
                List<Double> numbers = new ArrayList<>();
                collectNumbers(report.pooled(row.get(0).asString(), row.get(1).asInt()), numbers);
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
        // of two points: the requested and the granted size of two buffers
        assertThat(compared).isEqualTo(2 * 4);
    }

    @Test
    void mediaPlayoutAndStageTablesMatchSummary() {
        report.open(ShownReport.WIDE, "light");
        int compared = 0;
        for (JsonNode table : report.tablesIn("#media, #playout, #stages")) {
            for (JsonNode row : table.get("rows")) {
                compared += ViewCells.compare(
                        table,
                        row,
                        report.pooled(row.get(0).asString(), row.get(1).asInt()));
            }
        }
        // of two points: media, playout and adaptive playout; of one: stages and the buffers' occupancy
        assertThat(compared).isEqualTo(2 * (13 + 13 + 8 + 4 * 7 + 5) + 3 * 8 + 4 * 9 + 3 * 4);
    }

    @Test
    void causeTablesMatchSummary() {
        report.open(ShownReport.WIDE, "light");
        int compared = 0;
        Map<String, Long> expected = new HashMap<>();
        for (JsonNode table : report.tablesIn("#causes")) {
            String title = table.get("title").asString();
            if (!title.endsWith(", by cause") || title.startsWith("Lost")) {
                continue;
            }
            String tail = "causes." + (title.startsWith("Transmit lag") ? "lag." : "lagFromSchedule.");
            for (JsonNode row : table.get("rows")) {
                JsonNode metrics =
                        report.pooled(row.get(0).asString(), row.get(1).asInt());
                expected.put(row.get(0) + " " + row.get(1) + " " + tail, shown(metrics, tail));
                String cause = row.get(3).asString() + "." + row.get(2).asString();
                String id = shares(metrics, tail)
                        .filter(share -> share.replace(tail + "byCause.", "")
                                .replace('-', ' ')
                                .equalsIgnoreCase(cause))
                        .findAny()
                        .orElse(tail + "unexplained");
                double packets = metrics.get(id + ".packets").asDouble();
                double excessUs = metrics.get(id + ".excess").asDouble();
                shows(row.get(4), packets, title);
                shows(
                        row.get(5),
                        100 * packets / metrics.get(tail + "total.packets").asDouble(),
                        title);
                shows(row.get(6), excessUs / 1000, title);
                shows(
                        row.get(7),
                        100 * excessUs / metrics.get(tail + "total.excess").asDouble(),
                        title);
                compared++;
            }
        }
        // one point has causes, each for two series
        assertThat(expected).hasSize(2);
        assertThat((long) compared)
                .isGreaterThan(2)
                .isEqualTo(expected.values().stream().mapToLong(Long::longValue).sum());
    }

    /** Returns how many rows a tail has: those of no packet and less than 0.05 % of the excess are left out. */
    private static long shown(JsonNode metrics, String tail) {
        double least = 0.0005 * metrics.get(tail + "total.excess").asDouble();
        return shares(metrics, tail)
                .filter(share -> metrics.get(share + ".packets").asDouble() > 0
                        || metrics.get(share + ".excess").asDouble() >= least)
                .count();
    }

    /** Returns the beginnings of the ids of the causes of a tail, and of what is not explained. */
    private static Stream<String> shares(JsonNode metrics, String tail) {
        String end = ".packets";
        return metrics.propertyStream()
                .map(Map.Entry::getKey)
                .filter(id -> id.startsWith(tail) && id.endsWith(end) && !id.equals(tail + "total" + end))
                .map(id -> id.substring(0, id.length() - end.length()));
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
