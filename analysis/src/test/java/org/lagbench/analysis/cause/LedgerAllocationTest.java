package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.cause.LedgerFixture.Times;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.core.cause.Cause;

/** Dividing the lag of a packet, and adding it to the sum of a run, allocates nothing. */
class LedgerAllocationTest {
    /** As many as are in the first block of each capture. */
    private static final int PACKETS = 1_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path directory;

    @Test
    void allocatesNothingPerPacket() throws Exception {
        LedgerFixture fixture = new LedgerFixture(directory);
        fixture.hasDepartures = true;
        for (long packet = 0; packet < PACKETS; packet += 2) {
            long sinceNs = packet * LedgerFixture.INTERVAL_NS;
            fixture.senderEvents.add(LedgerFixture.event(Cause.SAFEPOINT, sinceNs + 20, sinceNs + 40));
            fixture.receiverEvents.add(LedgerFixture.event(Cause.GARBAGE_COLLECTION, sinceNs + 500, sinceNs + 700));
        }
        Path path = fixture.write("udp", Collections.nCopies(PACKETS, new Times(10, 60, 90, 400, 900)));
        try (JoinedRun run = JoinedRun.open(path)) {
            TailScan scan = LedgerFixture.scan(run, PacketDelay.TRANSMIT_LAG);
            LedgerSum sum = new LedgerSum();
            long before = 0;
            for (int i = 0; i < PACKETS; i++) {
                if (i == PACKETS / 2) {
                    before = threads.getCurrentThreadAllocatedBytes();
                }
                scan.advance(i);
                sum.add(scan.divide());
            }
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(PACKETS / 2);
            assertThat(sum.total().total().ns()).isEqualTo(PACKETS * 890L);
            assertThat(sum.total().parts()).hasSizeGreaterThan(5);
        }
    }
}
