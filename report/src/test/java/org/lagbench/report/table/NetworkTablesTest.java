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
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.run.RunRecord.LabRecord.Station;

/** Tests the link table and the notes on networks. */
class NetworkTablesTest {
    private static final double CAPACITY_PER_S = 138_888.9;

    private final SessionFixture session;

    NetworkTablesTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    @Test
    void hasNoLinkTableWithoutEmulatedNetwork() throws Exception {
        flood("a", "udp", 7_200).write();
        Document document = document();
        assertThat(document.tables()).extracting(Table::title).doesNotContain("Link");
        assertThat(document.notes()).noneMatch(note -> note.contains("link") || note.contains("Network"));
    }

    @Test
    void comparesReceivedRateWithCapacity() throws Exception {
        flood("a", "udp", 7_200).lab(lab(CAPACITY_PER_S)).write();
        flood("b", "tcp", 20_000).lab(lab(100_000.0)).write();
        Table link = document().tables().stream()
                .filter(table -> table.title().equals("Link"))
                .findFirst()
                .orElseThrow();
        assertThat(link.rows())
                .containsExactly(
                        List.of("TCP/IP (emulated link test-net)", "24", "50,000", "100,000", "50.0"),
                        List.of("UDP/IP (emulated link test-net)", "24", "138,889", "138,889", "100.0"));
    }

    @Test
    void notesFloodLimitedByCpu() throws Exception {
        flood("slow", "udp", 10_000).lab(lab(CAPACITY_PER_S)).write();
        assertThat(document().notes())
                .contains("UDP/IP (emulated link test-net), 24: 100,000 packets/s were sent over a link with a"
                        + " capacity of 138,889. The CPU, or other load"
                        + " of this machine, limited the sender, not the link.");
    }

    @Test
    void doesNotBlameCpuForFilledLinkOrTcp() throws Exception {
        flood("full", "udp", 7_300).lab(lab(CAPACITY_PER_S)).write();
        flood("tcp", "tcp", 20_000).lab(lab(100_000.0)).write();
        assertThat(document().notes()).noneMatch(note -> note.contains("CPU"));
    }

    @Test
    void namesNetworkOnceWithItsLosses() throws Exception {
        LabRecord first = lab(
                CAPACITY_PER_S,
                new Station("queue of sender to receiver", Map.of("packets", 9L, "drops", 3L)),
                new Station("relay forward", Map.of("lost", 4L, "queueFull", 1L, "refused", 0L)));
        flood("a-r1", "udp", 7_200).lab(first).write();
        flood("a-r2", "udp", 7_200)
                .lab(lab(CAPACITY_PER_S, new Station("relay forward", Map.of("lost", 2L))))
                .write();
        List<String> notes = document().notes();
        assertThat(notes.stream().filter(note -> note.startsWith("Network ")))
                .containsExactly("Network test-net, emulated on this machine: {rate: 100mbit}.");
        assertThat(notes)
                .contains("Lost in the network in runs of UDP/IP (emulated link test-net), 24, including warm-up,"
                        + " lead-in and lead-out: 3 at the queue of sender to receiver, 7 by the relay forward.");
    }

    @Test
    void statesErrorOfEmulatedWire() throws Exception {
        Map<String, Long> forward = Map.of(
                "forwarded",
                300L,
                "latenessSumNs",
                900_000L,
                "lateOver10us",
                20L,
                "lateOver100us",
                2L,
                "lateOver1ms",
                0L);
        Map<String, Long> reverse = Map.of("forwarded", 100L, "latenessSumNs", 100_000L, "lateOver10us", 0L);
        flood("a", "udp", 7_200)
                .lab(lab(CAPACITY_PER_S, new Station("relay forward", forward), new Station("relay reverse", reverse)))
                .write();
        assertThat(document().notes())
                .contains("Error of the emulated wires and delays: packets left them 2.5 µs late on average, 5.00 % by"
                        + " more than 10 µs, 0.50 % by more than 100 µs, 0.00 % by more than 1 ms.");
    }

    private static LabRecord lab(double capacityPacketsPerS, Station... stations) {
        return new LabRecord("test-net", "{rate: 100mbit}", 100_000_000, capacityPacketsPerS, List.of(stations));
    }

    /** Returns a run of three packets, sent and received at that interval. */
    private RunFixture flood(String name, String transport, long delayNs) {
        return session.run(name, transport, 24)
                .sent(0, delayNs, 2 * delayNs)
                .received(new long[] {0, 10}, new long[] {1, 10 + delayNs}, new long[] {2, 10 + 2 * delayNs});
    }

    /** Returns the tables of {@code lagbench table}, of a summary with only the details that they show. */
    private Document document() throws Exception {
        SummaryOptions options = new SummaryOptions(TableFormat.TEXT.needs(TableView.LAG));
        return Document.of(Summaries.of(Session.open(session.path()), options), TableView.LAG);
    }
}
