package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.RunRecord.Counts;

/** The ledgers of packets over IEEE-1394: a packet leaves at the start of its cycle, and arrives at its end. */
class BusLedgerTest {
    private static final long CYCLE_NS = 125_000;

    @TempDir
    private Path directory;

    /** An interrupt every two packets: both are delivered when the second's cycle is over. */
    @Test
    void dividesLagByTheCyclesOfBothSides() throws Exception {
        Path run = new SessionFixture(directory)
                .run("a-r1", "ieee1394", 24)
                .counts(new Counts(2, 2, 0, 0, 0, 0, 0, null))
                .sent(0, 1_000)
                .write();
        for (String file : List.of(CycleClock.SENDER_FILE_NAME, CycleClock.RECEIVER_FILE_NAME)) {
            try (GrowingCapture clock = GrowingCapture.create(run.resolve(file), List.of("at_ns", "bus_ns"))) {
                clock.append(EPOCH_NS, 128_000_000_000L - CYCLE_NS); // the last cycle before the bus seconds wrap
            }
        }
        Path sent = run.resolve(SenderCapture.FILE_NAME);
        Path received = run.resolve(ReceiverCapture.FILE_NAME);
        Files.delete(sent);
        Files.deleteIfExists(received);
        long deliveredNs = EPOCH_NS + 3 * CYCLE_NS + 7_000;
        try (SenderCapture sender = SenderCapture.create(sent, 2, true);
                ReceiverCapture receiver = ReceiverCapture.create(received, 2, true)) {
            sender.append(0, EPOCH_NS, EPOCH_NS + 1_000, EPOCH_NS + 2_000);
            sender.append(1, EPOCH_NS, EPOCH_NS + 3_000, EPOCH_NS + 4_000);
            sender.putBusCycle(0, 0); // begins at 125 µs
            sender.putBusCycle(1, 1);
            receiver.append(0, deliveredNs, 0);
            receiver.append(1, deliveredNs + 1_000, 1);
        }
        assertThat(LedgerFixture.parts(run, PacketDelay.TRANSMIT_LAG))
                .isEqualTo(Map.of(
                        "unexplained bound",
                        1_000L + CYCLE_NS + 7_000,
                        "sender.sender-queue stamp",
                        CYCLE_NS - 2_000,
                        "path.network stamp",
                        CYCLE_NS));
        // the second waits until the first is delivered
        assertThat(LedgerFixture.parts(run, PacketDelay.TRANSMIT_LAG, 1))
                .isEqualTo(Map.of(
                        "unexplained bound",
                        1_000L + 1_000,
                        "sender.sender-queue stamp",
                        2 * CYCLE_NS - 4_000,
                        "path.network stamp",
                        CYCLE_NS,
                        "receiver.earlier-packets stamp",
                        7_000L));
    }
}
