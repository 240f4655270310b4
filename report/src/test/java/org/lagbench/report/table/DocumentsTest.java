package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.SessionFixture.RunFixture;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.run.RunRecord.State;

/** Tests the tables, columns, rows and notes. */
class DocumentsTest {
    private final SessionFixture session;

    DocumentsTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    @Test
    void hasColumnsOnlyForVariedSettingsAndPace() throws Exception {
        run("a", "tcp").setting("no-delay", true).setting("send-buffer", 4_096).write();
        run("b", "tcp").setting("no-delay", true).setting("send-buffer", 65_536).write();
        run("c", "udp").setting("send-buffer", 1).setting("ttl", 3).write();
        assertThat(headers(document(TableView.LAG).tables().get(0)).subList(0, 4))
                .containsExactly("Network", "Packet size", "send-buffer", "Median");
        run("d", "udp")
                .setting("send-buffer", 1)
                .setting("ttl", 3)
                .scheduled(125_000, 0, 1)
                .write();
        Table lag = document(TableView.LAG).tables().get(0);
        assertThat(headers(lag).subList(0, 5))
                .containsExactly("Network", "Packet size", "Pace", "send-buffer", "Median");
        assertThat(lag.rows())
                .extracting(row -> row.subList(0, 4))
                .containsExactly(
                        List.of("TCP/IP", "24", "flood", "4096"),
                        List.of("TCP/IP", "24", "flood", "65536"),
                        List.of("UDP/IP", "24", "flood", "1"),
                        List.of("UDP/IP", "24", "spin 125.0 µs", "1"));
    }

    @Test
    void hasNoTableForAbsentSeries() throws Exception {
        run("a", "tcp").write();
        assertThat(document(TableView.LAG).tables())
                .extracting(Table::title)
                .containsExactly("Transmit lag ± 1 ns (one kernel)", "Packets");
        assertThat(document(TableView.ALL_SERIES).tables())
                .extracting(Table::title)
                .containsExactly(
                        "Transmit lag ± 1 ns (one kernel)",
                        "Inter-packet delay, sent",
                        "Inter-packet delay, received",
                        "Packets");
        run("b", "udp").scheduled(125_000, 0, 1).write();
        List<Table> tables = document(TableView.ALL_SERIES).tables();
        assertThat(tables)
                .extracting(Table::title)
                .containsExactly(
                        "Transmit lag ± 1 ns (one kernel)",
                        "Inter-packet delay, sent",
                        "Inter-packet delay, received",
                        "Sender lateness",
                        "Lag from the scheduled time ± 1 ns (one kernel)",
                        "Packets");
        assertThat(tables.get(3).rows()).extracting(row -> row.get(0)).containsExactly("UDP/IP");
    }

    @Test
    void hasRowPerRunAbovePooledRow() throws Exception {
        run("a-r1", "tcp").write();
        run("a-r2", "tcp").write();
        Table lag = document(new TableView(View.LAG, false, true)).tables().get(0);
        int column = headers(lag).indexOf("Run");
        assertThat(lag.rows()).extracting(row -> row.get(column)).containsExactly("a-r1", "a-r2", "pooled");
    }

    @Test
    void marksBufferThatWasNotGranted() throws Exception {
        run("a-r1", "tcp")
                .metadata(
                        Map.of("sendBufferBytes", 87_040, "factsFailure", "nothing"),
                        Map.of(
                                "receiveBufferBytes", 425_984,
                                "receiveBufferRequestedBytes", 4_194_304,
                                "receiveBufferLimitBytes", 212_992))
                .write();
        run("a-r2", "tcp")
                .metadata(
                        Map.of("sendBufferBytes", 2_626_560),
                        Map.of(
                                "receiveBufferBytes", 425_984,
                                "receiveBufferRequestedBytes", 4_194_304,
                                "receiveBufferLimitBytes", 212_992))
                .write();

        Table buffers =
                document(new TableView(View.BUFFERS, false, false)).tables().get(0);
        assertThat(buffers.rows())
                .containsExactly(List.of("TCP/IP", "24", "–", "87040–2626560", "–", "4194304", "425984", "212992"));
        assertThat(document(TableView.LAG).marks())
                .containsExactly(
                        "! receive-buffer: 4194304 bytes were requested, but the receiver's host grants at most"
                                + " 212992; to raise that: sudo sysctl -w net.core.rmem_max=4194304");
    }

    @Test
    void notesNegativeLagsAndExcludedRuns() throws Exception {
        run("a", "tcp")
                .sent(1_000, 2_000)
                .received(new long[] {0, 900}, new long[] {1, 3_000})
                .write();
        run("b", "tcp").ended(State.BROKEN, "It broke.").write();
        run("c", "tcp").captures();
        assertThat(document(TableView.LAG).notes())
                .contains(
                        "Negative lags of TCP/IP, 24: 1. According to the clocks, these packets"
                                + " arrived before they were"
                                + " sent. All figures include them. Lags are known to ± 1 ns (one kernel), but 1"
                                + " of them arrived earlier than that allows: see the mark.",
                        "Excluded: b, broke off: It broke.",
                        "Excluded: c, there is no run.json; the run was never ended.");
    }

    @Test
    void titleStatesCommonClockBound() throws Exception {
        run("a", "tcp")
                .clock(SessionFixture.clockOf(45_001L, ClockBound.Basis.CHRONY))
                .write();
        assertThat(titles()).containsExactly("Transmit lag ± 45.1 µs (chrony)", "Packets");
        run("b", "udp")
                .clock(SessionFixture.clockOf(5_050_000L, ClockBound.Basis.TWO_WAY))
                .write();
        assertThat(titles()).containsExactly("Transmit lag, each ± the bound of its row", "Packets");
        run("c", "udp")
                .clock(SessionFixture.accepted(5_050_001L, ClockBound.Basis.CHRONY))
                .write();
        assertThat(titles())
                .containsExactly(
                        "ACCEPTED UNSYNCHRONIZED: Transmit lag, each ± the bound of its row",
                        "ACCEPTED UNSYNCHRONIZED: Packets");
        Table lag = document(TableView.LAG).tables().get(0);
        assertThat(lag.rows())
                .extracting(row -> row.subList(row.size() - 2, row.size()))
                .containsExactly(List.of("± 45.1 µs", "chrony"), List.of("± 5051 µs", "chrony, two-way"));
        run("d", "tcp").clock(null).write();
        assertThat(titles().get(0))
                .isEqualTo("ACCEPTED UNSYNCHRONIZED: Transmit lag (CLOCKS NOT KNOWN TO AGREE: see the last columns)");
        assertThat(document(TableView.LAG).notes())
                .contains("Accepted unsynchronized: the clock bound exceeded the experiment's limit when these runs"
                        + " began, but --accept-unsynchronized permitted them: c.");
    }

    @Test
    void notesNegativeLagsWithinClockBound() throws Exception {
        run("a", "tcp")
                .sent(1_000, 2_000)
                .received(new long[] {0, 900}, new long[] {1, 3_000})
                .clock(SessionFixture.clockOf(100L, ClockBound.Basis.CHRONY))
                .write();
        Document document = document(TableView.LAG);
        assertThat(document.marks()).isEmpty();
        assertThat(document.notes())
                .contains("Negative lags of TCP/IP, 24: 1. According to the clocks, these packets"
                        + " arrived before they were"
                        + " sent. All figures include them. The clocks explain it: a lag is known to ± 100 ns"
                        + " (chrony).");
    }

    @Test
    void notesThatBatchesShareStamps() throws Exception {
        run("a", "tcp").metadata(Map.of("packetsPerCall", 16), Map.of()).write();
        assertThat(document(TableView.LAG).notes())
                .contains("Packets moved by one system call share its stamps: TCP/IP, 24 (up to 16).");
    }

    @Test
    void notesIncludedBrokenRun() throws Exception {
        run("b", "tcp").ended(State.BROKEN, "It broke.").write();
        Document document =
                Document.of(Summaries.of(Session.open(session.path()), new SummaryOptions(true, false)), TableView.LAG);
        assertThat(document.tables().get(0).rows()).hasSize(1);
        assertThat(document.notes()).contains("Included although it did not complete: b.");
    }

    @Test
    void notesThatAllRunsAreExcluded() throws Exception {
        run("b", "tcp").ended(State.BROKEN, "It broke.").write();
        Document document = document(TableView.LAG);
        assertThat(document.tables())
                .allSatisfy(table -> assertThat(table.rows()).isEmpty());
        assertThat(document.notes()).contains("No run is left for a table.");
        assertThat(document.notes()).noneMatch(note -> note.contains("R-7"));
    }

    private RunFixture run(String name, String transport) {
        return session.run(name, transport, 24).sent(0, 10).received(new long[] {0, 5}, new long[] {1, 25});
    }

    private Document document(TableView view) throws Exception {
        return Document.of(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT), view);
    }

    private List<String> titles() throws Exception {
        return document(TableView.LAG).tables().stream().map(Table::title).toList();
    }

    private static List<String> headers(Table table) {
        return table.columns().stream().map(Column::header).toList();
    }
}
