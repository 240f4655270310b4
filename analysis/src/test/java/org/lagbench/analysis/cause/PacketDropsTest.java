package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.run.DropFacts;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.Counts;

class PacketDropsTest {
    private static final int PACKETS = 100;
    private static final long INTERVAL_NS = 100_000;
    private static final long LAG_NS = 10_000;

    @TempDir
    Path directory;

    private final Map<String, Object> metadata = new HashMap<>(Map.of(
            "dropTimes", DropFacts.OBSERVER, "dropTimesLost", 0, "dropReasons", "6 SOCKET_RCVBUFF, 7 UNIX_DISCONNECT"));

    /** Packets 20 to 24 are lost; the record has drops of 21, 22, 22 again, 23, and of 50, which arrived. */
    private Path write() throws Exception {
        long[] sent = new long[PACKETS];
        long[][] received = new long[PACKETS - 5][];
        int arrivals = 0;
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * INTERVAL_NS;
            if (i < 20 || i > 24) {
                received[arrivals++] = new long[] {i, sent[i] + LAG_NS};
            }
        }
        Path run = new SessionFixture(directory)
                .run("a-r1", "udp", 24)
                .sent(sent)
                .received(received)
                .metadata(Map.of(), metadata)
                .counts(new Counts(PACKETS - 5, PACKETS - 5, 0, 0, 0, 0, 5, null))
                .write();
        EventsCapture.create(run.resolve(EventsCapture.SENDER_FILE_NAME)).close();
        try (GrowingCapture events = EventsCapture.create(run.resolve(EventsCapture.RECEIVER_FILE_NAME));
                GrowingCapture drops = DropsCapture.create(run.resolve(DropsCapture.FILE_NAME))) {
            long startNs = EPOCH_NS + 20 * INTERVAL_NS;
            events.append(Cause.KERNEL_DROP.code(), startNs, startNs + INTERVAL_NS, INTERVAL_NS, 0, 0);
            for (long[] drop : List.of(
                    new long[] {21, 5_000, 6},
                    new long[] {22, 5_000, 6},
                    new long[] {22, 6_000, 3},
                    new long[] {23, 5_000, 6},
                    new long[] {50, 5_000, 6})) {
                drops.append(drop[0], EPOCH_NS + sent[(int) drop[0]] + drop[1], drop[2]);
            }
        }
        return run;
    }

    private LossCauses losses() throws Exception {
        return Objects.requireNonNull(Summaries.of(Session.open(directory), SummaryOptions.DEFAULT)
                        .points()
                        .get(0)
                        .pooled()
                        .get(CauseGroups.LEDGER))
                .losses();
    }

    @Test
    void countsLostPacketsByTheLastReason() throws Exception {
        write();
        assertThat(losses()).isEqualTo(new LossCauses(5, 3, 0, Map.of("SOCKET_RCVBUFF", 2L, "reason 3", 1L)));
    }

    @Test
    void countsByTheCounterIfTheRecordIsIncomplete() throws Exception {
        metadata.put("dropTimesLost", 1);
        write();
        assertThat(losses()).isEqualTo(new LossCauses(5, 1, 0, Map.of()));
    }

    @Test
    void addsReasonsOfRuns() {
        assertThat(new LossCauses(5, 2, 1, Map.of("A", 1L, "B", 1L)).plus(new LossCauses(1, 0, 1, Map.of("B", 1L))))
                .isEqualTo(new LossCauses(6, 2, 2, Map.of("A", 1L, "B", 2L)));
        assertThat(new LossCauses(6, 2, 2, Map.of()).unexplained()).isEqualTo(2);
    }

    @Test
    void explainsOnlyPacketsThatDidNotArrive() throws Exception {
        Path directoryOfRun = write();
        try (JoinedRun run = JoinedRun.open(directoryOfRun, RunRecord.read(directoryOfRun))) {
            assertThat(DroppedPacket.of(run, 21)).isEqualTo(new DroppedPacket(21, 5_000, 1L, "SOCKET_RCVBUFF"));
            assertThat(DroppedPacket.of(run, 22)).isEqualTo(new DroppedPacket(22, 6_000, 1L, "reason 3"));
            assertThat(DroppedPacket.of(run, 20)).isNull();
            assertThat(DroppedPacket.of(run, 50)).isNull();
            assertThat(DroppedPacket.of(run, PACKETS)).isNull();
        }
    }
}
