package org.lagbench.analysis.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;

class JoinedRunTest {
    private static final int PACKETS = 60_000;

    /** Packets are so far out of order that the reader alternates between distant stamps. */
    @Test
    void findsStampsOfPacketsReorderedByThousands(@TempDir Path directory) throws Exception {
        Random random = new Random(3);
        long[] sent = new long[PACKETS];
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = 1_000L * i + random.nextInt(1_000);
            order.add(i);
        }
        Collections.shuffle(order.subList(0, 20_000), random);
        for (int i = 20_000; i < 40_000; i += 2) {
            Collections.swap(order, i, (i + 15_000) % PACKETS);
        }
        long[][] received = new long[PACKETS][];
        int reordered = 0;
        int max = -1;
        for (int i = 0; i < PACKETS; i++) {
            int packet = order.get(i);
            received[i] = new long[] {packet, sent[packet] + 7L * packet};
            reordered += packet < max ? 1 : 0;
            max = Math.max(max, packet);
        }
        Path run = new SessionFixture(directory.resolve("session"))
                .run("run", "udp", 24)
                .sent(sent)
                .received(received)
                .write();
        try (JoinedRun joined = JoinedRun.open(run)) {
            assertThat(joined.counts()).isEqualTo(new RunPacketCounts(PACKETS, PACKETS, 0, 0, reordered, 0, 0));
            for (int i = 0; i < PACKETS; i++) {
                long packet = joined.packetOf(i);
                assertThat(joined.receivedNs(i) - joined.sentNs(packet)).isEqualTo(7L * packet);
            }
        }
    }

    /** Packet 1 is lost. Packet 5 was never sent, and the second copy of packet 0 has the largest lag. */
    @Test
    void readsLagsOfFirstCopies(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        Path inOrder = session.run("a", "udp", 24)
                .sent(100, 200, 300, 400)
                .received(new long[][] {{0, 130}, {2, 290}, {3, 450}})
                .write();
        Path anyOrder = session.run("b", "udp", 24)
                .sent(100, 200, 300, 400)
                .received(new long[][] {{0, 130}, {3, 450}, {5, 460}, {2, 290}, {0, 900}})
                .write();
        assertThat(lags(inOrder)).containsExactly("0: 30", "2: -10", "3: 50", "-10 to 50", "{0, 2, 3}");
        assertThat(lags(anyOrder)).containsExactly("0: 30", "3: 50", "2: -10", "-10 to 50", "{0, 2, 3}");
    }

    private static List<String> lags(Path directory) throws Exception {
        List<String> lags = new ArrayList<>();
        try (JoinedRun run = JoinedRun.open(directory)) {
            PacketLags.forEach(run, (packet, lagNs) -> lags.add(packet + ": " + lagNs));
            lags.add(run.lags().minNs() + " to " + run.lags().maxNs());
            lags.add(run.arrivedPackets().toString());
        }
        return lags;
    }
}
