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
}
