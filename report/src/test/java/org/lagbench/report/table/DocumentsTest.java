package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.cause.PacketSet;
import org.lagbench.analysis.summary.Session;
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
                .containsExactly("Network", "Packet size", "Send buffer", "Packets");
        run("d", "udp")
                .setting("send-buffer", 1)
                .setting("ttl", 3)
                .scheduled(125_000, 0, 1)
                .write();
        Table lag = document(TableView.LAG).tables().get(0);
        assertThat(headers(lag).subList(0, 5))
                .containsExactly("Network", "Packet size", "Pace", "Send buffer", "Packets");
        assertThat(lag.rows())
                .extracting(row -> row.subList(0, 4))
                .containsExactly(
                        List.of("TCP/IP", "24", "flood", "4 KiB"),
                        List.of("TCP/IP", "24", "flood", "64 KiB"),
                        List.of("UDP/IP", "24", "flood", "1 B"),
                        List.of("UDP/IP", "24", "spin 125 µs", "1 B"));
    }

    @Test
    void textOfManyAxesFits80Columns() throws Exception {
        run("a", "tcp")
                .setting("send-buffer", 4_096)
                .setting("congestion-control", "cubic")
                .write();
        run("b", "tcp")
                .setting("send-buffer", 65_536)
                .setting("congestion-control", "bbr")
                .engine("c", "default")
                .write();
        run("c", "ieee1394").write();
        assertThat(TableFormat.TEXT.text(document(TableView.LAG)).lines())
                .contains(
                        "TCP/IP, engine java, send buffer 4 KiB, congestion control cubic",
                        "IEEE-1394 (virtual bus), engine java, send buffer auto")
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void namesJvmOptionsIfTheyDiffer() throws Exception {
        run("a", "udp").write();
        run("b", "udp").engine("java", "-XX:+UseSerialGC -Xlog:gc").write();
        assertThat(cells(document(TableView.LAG).tables().get(0), "JVM"))
                .containsExactly("default", "-XX:+UseSerialGC -Xlog:gc");
    }

    @Test
    void namesDirectionsByOneColumn() throws Exception {
        run("a-r1", "udp").stream("backward", "forward").write();
        run("b-r1", "udp").stream("forward", "backward").write();
        Table both = document(TableView.LAG).tables().get(0);
        assertThat(headers(both)).doesNotContain("Stream", "Beside");
        assertThat(cells(both, "Direction")).containsExactly("forward (both at once)", "backward (both at once)");
        run("c-r1", "tcp").stream("backward").write();
        assertThat(cells(document(TableView.LAG).tables().get(0), "Direction")).startsWith("backward");
    }

    @Test
    void hasRateOfFloodsAndDelayOfPacedRunsInTheFirstTable() throws Exception {
        run("a", "udp").scheduled(125_000, 0, 125_000).write();
        Table paced = document(TableView.LAG).tables().get(0);
        assertThat(headers(paced)).doesNotContain("Rate");
        assertThat(paced.columns()).extracting(Table.Column::group).contains("Inter-packet delay");
        session.run("b", "tcp", 1_000)
                .sent(0, 100_000, 200_000)
                .received(new long[] {0, 500}, new long[] {1, 100_500}, new long[] {2, 200_500})
                .write();
        Table mixed = document(TableView.LAG).tables().get(0);
        assertThat(cells(mixed, "Rate")).first().isEqualTo("80.0");
        assertThat(mixed.rows().get(0)).contains("10,000");
        assertThat(mixed.columns()).extracting(Table.Column::group).doesNotContain("Inter-packet delay");
    }

    @Test
    void hasNoTableForAbsentSeries() throws Exception {
        run("a", "tcp").write();
        assertThat(document(TableView.LAG).tables())
                .extracting(Table::title)
                .containsExactly(
                        "Lag ± 1 ns (one kernel), and the rate between the first arrival and the last",
                        "Inter-packet delay at the receiver",
                        "Packets");
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
        Table lag = document(new TableView(new LagView(), false, true, null))
                .tables()
                .get(0);
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

        Table buffers = document(TableView.of(new BufferView())).tables().get(0);
        assertThat(buffers.rows())
                .containsExactly(
                        List.of("TCP/IP", "24", "–", "87,040–2,626,560", "–", "4,194,304", "425,984", "212,992"));
        assertThat(document(TableView.LAG).marks())
                .containsExactly(
                        "! receive-buffer: 4194304 bytes were requested, but the receiver's host grants at most"
                                + " 212992; to raise that: sudo sysctl -w net.core.rmem_max=4194304");
    }

    @Test
    void statesTrafficAndThatPaceWasNotKept() throws Exception {
        run("a", "udp").sent(0, 125_000).scheduled(125_000, 0, 125_000).write();
        assertThat(document(TableView.LAG).lead())
                .containsExactly("UDP/IP: 2 packets of 24 bytes, one each 125 µs (1.54 Mbit/s), engine java.");
        session.run("b", "tcp", 1_000)
                .sent(0, 250_000)
                .received(new long[] {0, 500}, new long[] {1, 300_000})
                .scheduled(125_000, 0, 125_000)
                .write();
        assertThat(document(TableView.PAPER).lead())
                .containsExactly(
                        "TCP/IP, UDP/IP: 2 runs of 2 packets of 24 to 1,000 bytes, one each 125 µs (1.54 to 64.0"
                                + " Mbit/s), engine java.");
        assertThat(document(TableView.PAPER).warnings())
                .contains("The pace was not kept: TCP/IP, 1000 bytes sent 4,000 packets/s instead of 8,000.");
    }

    @Test
    void statesThatPacketsLeftLate() throws Exception {
        session.run("a", "udp", 24)
                .sent(0, 100_000, 390_000, 395_000, 400_000)
                .scheduled(100_000, 0, 100_000, 200_000, 300_000, 400_000)
                .received(new long[] {0, 500})
                .write();
        session.run("b", "udp", 48)
                .sent(0, 100_000, 390_000, 395_000, 400_000)
                .scheduled(100_000, 0, 100_000, 200_000, 300_000, 400_000)
                .received(new long[] {0, 500})
                .write();
        assertThat(document(TableView.LAG).warnings()).anySatisfy(warning -> assertThat(warning)
                .startsWith("Packets left late: UDP/IP, ")
                .contains("24 bytes sent 1 % of them at least 186 µs after their scheduled times")
                .contains("; UDP/IP, ", "48 bytes sent 1 % of them at least 186 µs after their scheduled times")
                .endsWith(", more than an interval. Lags do not include this, the lag from the scheduled time does"
                        + " (--all-series)."));
    }

    @Test
    void printsMarkOnceWithItsRuns() throws Exception {
        for (int run = 1; run <= 5; run++) {
            run("a-r" + run, "udp")
                    .clock(
                            run == 3
                                    ? SessionFixture.clockOf(1L, ClockBound.Basis.CHRONY, "All.", "One.")
                                    : SessionFixture.clockOf(1L, ClockBound.Basis.CHRONY, "All."))
                    .write();
        }
        String all = "! All. This was found in all 5 runs";
        String one = "! One. This was found in 1 of 5 runs (a-r3).";
        Document document = document(TableView.LAG);
        assertThat(document.marks()).containsExactly(all + ".", one);
        assertThat(document(new TableView(new LagView(), false, true, null)).marks())
                .containsExactly(all + " (a-r1, a-r2, a-r3, a-r4, a-r5).", one);
        assertThat(TableFormat.TEXT.text(document).lines()).containsOnlyOnce(one);
        assertThat(TableFormat.MARKDOWN.text(document)).containsOnlyOnce("<!-- " + one + " -->");
        assertThat(TableFormat.LATEX.text(document)).containsOnlyOnce("% " + one + "\n");
    }

    @Test
    void omitsCountsThatAreZero() throws Exception {
        run("a", "udp").received(new long[] {1, 5}, new long[] {0, 25}).write();
        assertThat(headers(table("Packets", false))).contains("Reordered").doesNotContain("Copies", "Foreign");
        assertThat(headers(table("Packets", true))).contains("Reordered", "Copies", "Foreign", "Kernel drops");
    }

    private Table table(String title, boolean zeros) throws Exception {
        return document(new TableView(new LagView(), false, false, zeros, PacketSet.TAIL, null)).tables().stream()
                .filter(table -> table.title().equals(title))
                .findFirst()
                .orElseThrow();
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
        Table lag = document(TableView.PAPER).tables().get(0);
        assertThat(lag.rows())
                .extracting(row -> row.subList(row.size() - 2, row.size()))
                .containsExactly(List.of("± 45.1 µs", "chrony"), List.of("± 5,051 µs", "chrony, two-way"));
        run("d", "tcp").clock(null).write();
        assertThat(titles().get(0))
                .isEqualTo("ACCEPTED UNSYNCHRONIZED: Transmit lag (CLOCKS NOT KNOWN TO AGREE: see the last columns)");
        assertThat(document(TableView.LAG).notes())
                .contains("Accepted unsynchronized: the clock bound exceeded the experiment's limit when these runs"
                        + " began, but --accept-unsynchronized permitted them: c.");
    }

    @Test
    void defaultTableShowsDifferingBoundsInAColumn() throws Exception {
        String rest = ", and the rate between the first arrival and the last";
        run("a", "tcp").write();
        run("b", "udp")
                .clock(SessionFixture.clockOf(50L, ClockBound.Basis.SAME_KERNEL))
                .write();
        Table oneKernel = document(TableView.LAG).tables().get(0);
        assertThat(oneKernel.title()).isEqualTo("Lag ± 50 ns (one kernel)" + rest);
        assertThat(headers(oneKernel)).doesNotContain("Bound");
        run("c", "udp")
                .clock(SessionFixture.clockOf(5_050_000L, ClockBound.Basis.TWO_WAY))
                .write();
        Table twoKernels = document(TableView.LAG).tables().get(0);
        assertThat(twoKernels.title()).isEqualTo("Lag ± the bound of its row (one kernel, two-way)" + rest);
        assertThat(cells(twoKernels, "Bound")).containsExactly("± 1 ns", "± 5,050 µs");
        run("d", "tcp").clock(null).write();
        assertThat(document(TableView.LAG).tables().get(0).title())
                .isEqualTo("Lag (CLOCKS NOT KNOWN TO AGREE: see the bounds)" + rest);
    }

    @Test
    void warnsOfLossAndStepsBeforeAnyMetric() throws Exception {
        run("0001-tcp-24-r1", "tcp").write();
        assertThat(document(TableView.LAG).warnings()).isEmpty();
        run("0002-udp-24-r1", "udp").sent(0, 10, 20, 30).write();
        run("0003-udp-24-r2", "udp")
                .sent(0, 10, 20, 30)
                .received(new long[] {0, 5}, new long[] {1, 15}, new long[] {2, 25}, new long[] {3, 35})
                .clock(SessionFixture.stepped(700L, ClockBound.Basis.CHRONY))
                .write();
        Document document = document(TableView.LAG);
        assertThat(document.warnings())
                .containsExactly(
                        "A clock was set, or its rate changed, during 1 of 3 runs (0003-udp-24-r2). Lags of these runs"
                                + " are wrong by up to the step.",
                        "The clocks may differ by more than the lag: UDP/IP, 24 bytes (median 5 ns ± 700 ns). Such"
                                + " lags are not known, only their differences. Synchronize the clocks better (lagbench"
                                + " doctor), or measure --traffic round-trip.",
                        "Packets were lost: 25.0 % of UDP/IP, 24 bytes. Lags are of the packets that arrived.",
                        "2 packets were lost on the wire or in a queue before the receiver, or arrived later than"
                                + " drain: no buffer of the receiver is known to have dropped them. If a longer"
                                + " --interval loses none, a queue was full.");
        assertThat(cells(document.tables().get(0), "Lost")).containsExactly("0", "! 25.0");
        assertThat(cells(document(TableView.PAPER).tables().get(0), "Lost")).containsExactly("0", "! 25.0");
        assertThat(TableFormat.TEXT.text(document)).startsWith("! A clock was set");
    }

    @Test
    void showsIntervalsOfRepeatedPoints() throws Exception {
        for (int run = 1; run <= 3; run++) {
            session.run("000" + run + "-udp-24-r" + run, "udp", 24)
                    .sent(0, 10_000)
                    .received(new long[] {0, run * 2_000L}, new long[] {1, 10_000 + run * 2_000L})
                    .write();
        }
        run("0004-tcp-24-r1", "tcp").write();
        Table intervals = document(TableView.LAG).tables().get(3);
        assertThat(intervals.rows())
                .containsExactly(List.of("UDP/IP", "24", "3", "75.0", "2.00", "6.00", "2.00", "6.00", "2.00", "6.00"));
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
        return document(TableView.PAPER).tables().stream().map(Table::title).toList();
    }

    private static List<String> cells(Table table, String header) {
        int column = headers(table).indexOf(header);
        assertThat(column).as(header).isNotNegative();
        return table.rows().stream().map(row -> row.get(column)).toList();
    }

    private static List<String> headers(Table table) {
        return table.columns().stream().map(Table.Column::header).toList();
    }
}
