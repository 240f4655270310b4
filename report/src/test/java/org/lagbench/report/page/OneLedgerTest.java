package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.cause.PacketSet;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.TailEvent;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.report.export.Exports;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.ExplanationTable;
import org.lagbench.report.table.ExplanationTable.RunEvent;
import org.lagbench.report.table.LedgerView;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableView;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The ledger of a packet that is the whole tail of its run: all that shows it shows the same parts and cause. */
class OneLedgerTest {
    private static final String RUN = "0001-udp-24-r1";
    private static final String NOT_EXPLAINED = "not-explained";
    private static final int PACKETS = 100;
    private static final int SLOW = 70;
    private static final long INTERVAL_NS = 100_000;

    /** The beginning of a row of a timeline or of a ledger: where the parts are. */
    private final Map<String, Long> expectedNs = new TreeMap<>();

    @TempDir
    private Path directory;

    private Session session;
    private TailEvent slowest;

    /**
     * A packet whose send call waits 5 µs for a CPU, and whose receiver collects garbage for 40 µs, with a gap of its
     * record.
     */
    @BeforeEach
    void writeRunAndExplainPacket() throws Exception {
        SessionFixture fixture = new SessionFixture(directory.resolve("session"));
        Map<String, Object> complete =
                Map.of("waits", "the observer in the kernel", "waitsLost", 0, "causeEventsForgotten", 0);
        Map<String, Object> sender = new HashMap<>(complete);
        sender.put("remoteAddress", "192.0.2.1:4711");
        sender.put(KernelCapture.FIRST_KEY_NAME, 0);
        long[] sent = new long[PACKETS];
        long[] returned = new long[PACKETS];
        long[][] received = new long[PACKETS][];
        for (int i = 0; i < PACKETS; i++) {
            boolean isSlow = i == SLOW;
            sent[i] = i * INTERVAL_NS;
            returned[i] = sent[i] + (isSlow ? 6_000 : 1_000);
            long stampNs = returned[i] + 3_000 + i;
            received[i] = new long[] {i, stampNs + (isSlow ? 42_000 : 2_000), stampNs};
        }
        Path run = fixture.run(RUN, "udp", 24)
                .metadata(sender, complete)
                .sent(sent)
                .returned(returned)
                .received(received)
                .write();
        try (KernelCapture stamps = KernelCapture.create(run.resolve(KernelCapture.FILE_NAME), 2L * PACKETS)) {
            for (int i = 0; i < PACKETS; i++) {
                stamps.append(KernelCapture.SCHEDULED, i, EPOCH_NS + returned[i] + 100);
                stamps.append(KernelCapture.SENT, i, EPOCH_NS + returned[i] + 500);
            }
        }
        long cc1 = 'c' | 'c' << 8 | '1' << 16;
        event(run, EventsCapture.SENDER_FILE_NAME, Cause.RUN_QUEUE, sent[SLOW] + 500, 5_000, cc1);
        event(
                run,
                EventsCapture.RECEIVER_FILE_NAME,
                Cause.GARBAGE_COLLECTION,
                received[SLOW][2] + 1_000,
                40_000,
                0,
                Cause.WAITS_LOST);
        session = Session.open(fixture.path());
        try (JoinedRun joined = JoinedRun.open(run)) {
            slowest = TailEvent.of(RUN, joined, SLOW);
        }
        slowest.slowest().parts().byCause().forEach((cause, ns) -> expectedNs.put(cause.text(), ns));
        expectedNs.put(NOT_EXPLAINED, slowest.slowest().parts().unexplainedNs());
        assertThat(expectedNs)
                .containsEntry("sender.run-queue:cc1", 5_000L)
                .containsEntry("receiver.garbage-collection", 40_000L)
                .containsEntry(NOT_EXPLAINED, 2_000L);
    }

    private static void event(Path run, String file, Cause cause, long startNs, long ns, long program, Cause... gaps)
            throws Exception {
        try (GrowingCapture events = EventsCapture.create(run.resolve(file))) {
            events.append(cause.code(), EPOCH_NS + startNs, EPOCH_NS + startNs + ns, ns, program, 0);
            for (Cause gap : gaps) {
                events.append(gap.code(), EPOCH_NS + startNs, EPOCH_NS + startNs + 1, 1, 0, 0);
            }
        }
    }

    private Summary summary() throws Exception {
        return Summaries.of(session, SummaryOptions.DEFAULT);
    }

    @Test
    void explainAndExportHaveItsParts() throws Exception {
        String json =
                ExplanationTable.timeline(new RunEvent(RUN, slowest, false)).text(TableFormat.JSON);
        Map<String, Long> explained = new TreeMap<>(Map.of(NOT_EXPLAINED, 0L));
        for (JsonNode part : JsonMapper.builder().build().readTree(json).get("parts")) {
            explained.merge(part.get("cause").asString(), part.get("ns").asLong(), Long::sum);
            assertThat(part.get("packetCause").asString()).isEqualTo(cause().text());
        }
        assertThat(explained).isEqualTo(expectedNs);

        Map<String, Long> exported = new TreeMap<>(Map.of(NOT_EXPLAINED, 0L));
        for (List<String> cells : export("ledger")) {
            assertThat(cells.get(0)).isEqualTo(Integer.toString(SLOW));
            String program = cells.get(4).replace("\"", "");
            String part = cells.get(3).equals(NOT_EXPLAINED) ? "" : cells.get(2) + ".";
            exported.merge(
                    part + cells.get(3) + (program.isEmpty() ? "" : ":" + program),
                    Long.parseLong(cells.get(7)),
                    Long::sum);
        }
        assertThat(exported).isEqualTo(expectedNs);
    }

    @Test
    void metricsAreItsPartsAndItsCause() throws Exception {
        String tail = "ledger.lag.tail.";
        JsonNode metrics = JsonMapper.builder()
                .build()
                .readTree(TableFormat.JSON.text(summary()))
                .at("/points/0/metrics");
        assertThat(metrics.get(tail + "packets").asLong()).isEqualTo(1);
        shows(metrics, tail + "time", slowest.slowest().lagNs());
        double excessUs = 0;
        for (Map.Entry<String, Long> part : expectedNs.entrySet()) {
            String id = tail + (part.getKey().equals(NOT_EXPLAINED) ? "notExplained" : "parts." + part.getKey());
            shows(metrics, id + ".time", part.getValue());
            assertThat(metrics.get(id + ".packets").asLong())
                    .isEqualTo(part.getKey().equals(cause().text()) ? 1 : 0);
            excessUs += metrics.get(id + ".excess").asDouble();
        }
        assertThat(metrics.get(tail + "excess").asDouble()).isCloseTo(excessUs, within(1e-6));
        List<String> row = export("csv").get(SLOW);
        assertThat(row)
                .containsSubsequence(cause().cause().text(), cause().side().text());
    }

    @Test
    void tableAndPageShowItsParts() throws Exception {
        Summary summary = summary();
        TableView all = new TableView(new LedgerView(), false, false, true, PacketSet.TAIL, null);
        Table table = Document.of(summary, all).tables().get(0);
        int part = table.axes();
        String unit = table.columns().get(part + 3).unit();
        assertThat(unit).isEqualTo("µs");
        for (SideCause cause : slowest.slowest().parts().byCause().keySet()) {
            List<String> row = row(table, cause.title(), cause.side().text());
            ViewCells.shows(row.get(part + 3), expectedNs.getOrDefault(cause.text(), 0L) / 1e3, cause.text());
            assertThat(row.get(part + 5)).isEqualTo(cause.equals(cause()) ? "1" : "0");
        }
        ViewCells.shows(row(table, "Not explained", "receiver").get(part + 3), 2, NOT_EXPLAINED);
        ViewCells.shows(row(table, "Lag", "–").get(part + 3), slowest.slowest().lagNs() / 1e3, "lag");

        Path file = directory.resolve("report.html");
        ReportFile.write(file, session, summary);
        String html = Files.readString(file);
        assertThat(html)
                .as("the readout of its point")
                .contains(slowest.slowest().text());
        String shown = words(section(html));
        for (List<String> row : Document.of(summary, TableView.of(new LedgerView()))
                .tables()
                .get(0)
                .rows()) {
            assertThat(shown).contains(String.join(" ", row.subList(part, row.size())));
        }
    }

    private static String section(String html) {
        Matcher section =
                Pattern.compile("(?s)<section id=\"ledger\".*?</section>").matcher(html);
        assertThat(section.find()).isTrue();
        return section.group();
    }

    private static String words(String html) {
        return html.replaceAll("<[^>]*>", " ").replace("&#39;", "'").replaceAll("\\s+", " ");
    }

    private static List<String> row(Table table, String part, String side) {
        return table.rows().stream()
                .filter(row -> row.get(table.axes()).equals(part)
                        && row.get(table.axes() + 1).equals(side))
                .findAny()
                .orElseThrow(() -> new AssertionError(part + ", " + side + " in " + table.rows()));
    }

    private SideCause cause() {
        SideCause cause = slowest.cause();
        assertThat(cause).isNotNull();
        return cause;
    }

    private static void shows(JsonNode metrics, String id, long ns) {
        assertThat(metrics.get(id)).as(id).isNotNull();
        assertThat(Math.round(metrics.get(id).asDouble() * 1e3)).as(id).isEqualTo(ns);
    }

    /** Returns the cells of the rows of an export. */
    private List<List<String>> export(String format) throws Exception {
        List<Exports.Exported> written = Exports.write(
                session, Exports.FORMATS.named(format), directory.resolve("export"), SummaryOptions.DEFAULT);
        List<List<String>> rows = new ArrayList<>();
        Files.readAllLines(written.get(0).file()).stream()
                .skip(1)
                .forEach(line -> rows.add(List.of(line.split(",", -1))));
        return rows;
    }
}
