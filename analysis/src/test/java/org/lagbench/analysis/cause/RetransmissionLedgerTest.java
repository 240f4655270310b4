package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.cause.LedgerFixture.event;
import static org.lagbench.analysis.cause.LedgerFixture.parts;
import static org.lagbench.core.cause.Cause.RETRANSMISSION;
import static org.lagbench.core.cause.Cause.RUN_QUEUE;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.cause.LedgerFixture.Times;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.core.cause.Cause;

/**
 * The ledgers of packets of a stream that waited for a retransmission. The network takes 400 µs. The first three
 * packets arrive as usual; the fourth, sent at 300 µs, is lost, and its copy arrives at 1,300 µs.
 */
class RetransmissionLedgerTest {
    private static final int USUAL = 3;
    private static final long SENT_NS = USUAL * LedgerFixture.INTERVAL_NS;
    private static final long RETRANSMITTED_NS = 900_000;
    private static final long ARRIVED_NS = 1_300_000;
    private static final long BEHIND_SENT_NS = SENT_NS + LedgerFixture.INTERVAL_NS;
    private static final long BEHIND_ARRIVED_NS = BEHIND_SENT_NS + 400_000;

    @TempDir
    private Path directory;

    private LedgerFixture fixture;

    @BeforeEach
    void recordsArrivals() {
        fixture = new LedgerFixture(directory);
        fixture.receiverMetadata.put("kernelStamps", "the observer in the kernel");
    }

    /** Writes the run; returns its directory. The packet after the lost one arrives as usual, before that. */
    private Path write(long receivedNs) throws Exception {
        return write(receivedNs, ARRIVED_NS - SENT_NS);
    }

    private Path write(long receivedNs, long lostStampNs) throws Exception {
        Times usual = new Times(0, 300, 0, 400_000, 401_000);
        Times lost = new Times(0, 300, 0, lostStampNs, receivedNs - SENT_NS);
        Times behind = new Times(0, 300, 0, 400_000, receivedNs - SENT_NS - LedgerFixture.INTERVAL_NS);
        return fixture.write(
                "tcp",
                Stream.concat(Collections.nCopies(USUAL, usual).stream(), Stream.of(lost, behind))
                        .toList());
    }

    private static Map<String, Long> ledger(Path run, int packet) throws Exception {
        return parts(run, PacketDelay.TRANSMIT_LAG, packet);
    }

    private static Map<String, Long> explained(long sentNs, String onTheWay) {
        return Map.of(
                "sender.send-call bound",
                300L,
                "sender.retransmission event",
                RETRANSMITTED_NS - sentNs - 300,
                onTheWay,
                ARRIVED_NS - RETRANSMITTED_NS,
                "receiver.receiver-kernel stamp",
                1_000L);
    }

    /** TCP_INFO shows only later, and only about, when the first unacknowledged segment was sent. */
    @Test
    void beginsWithThePacketAndEndsWithItsCopy() throws Exception {
        fixture.senderEvents.add(event(RETRANSMISSION, SENT_NS + 150_000, RETRANSMITTED_NS));
        Path run = write(ARRIVED_NS + 1_000);
        assertThat(ledger(run, USUAL)).isEqualTo(explained(SENT_NS, "path.before-receiver bound"));
        assertThat(ledger(run, USUAL + 1)).isEqualTo(explained(BEHIND_SENT_NS, "path.head-of-line-blocking stamp"));
    }

    /** The record of retransmissions may be missing, as for engines that hide their socket. */
    @Test
    void blocksThePacketBehindFromItsOwnArrivalOn() throws Exception {
        Path directory = write(ARRIVED_NS + 1_000);
        assertThat(ledger(directory, USUAL + 1))
                .isEqualTo(Map.of(
                        "sender.send-call bound",
                        300L,
                        "path.before-receiver bound",
                        BEHIND_ARRIVED_NS - BEHIND_SENT_NS - 300,
                        "path.head-of-line-blocking stamp",
                        ARRIVED_NS - BEHIND_ARRIVED_NS,
                        "receiver.receiver-kernel stamp",
                        1_000L));
        try (JoinedRun run = JoinedRun.open(directory)) {
            Attribution.TailScan scan = LedgerFixture.scan(run, PacketDelay.TRANSMIT_LAG);
            for (int i = 0; i <= USUAL + 1; i++) {
                scan.advance(i);
            }
            assertThat(scan.excess().cause())
                    .isEqualTo(new SideCause(SideCause.Role.PATH, Cause.HEAD_OF_LINE_BLOCKING));
        }
    }

    /** A packet has no stamp if it arrived twice: the receiver may have dropped its first copy. */
    @Test
    void doesNotNameTheKernelBehindAPacketWithoutStamp() throws Exception {
        fixture.senderEvents.add(event(RETRANSMISSION, SENT_NS + 150_000, RETRANSMITTED_NS));
        Path run = write(ARRIVED_NS + 1_000, 0);
        assertThat(ledger(run, USUAL + 1))
                .isEqualTo(Map.of(
                        "sender.send-call bound",
                        300L,
                        "sender.retransmission event",
                        RETRANSMITTED_NS - BEHIND_SENT_NS - 300,
                        "unexplained bound",
                        ARRIVED_NS + 1_000 - RETRANSMITTED_NS));
    }

    @Test
    void ignoresRetransmissionsThatCameTooLate() throws Exception {
        for (long later : List.of(950_000L, 1_200_000L, 2_000_000L)) {
            fixture.senderEvents.clear();
            fixture.senderEvents.add(event(RETRANSMISSION, SENT_NS, RETRANSMITTED_NS));
            fixture.senderEvents.add(event(RETRANSMISSION, RETRANSMITTED_NS - 50_000, later));
            assertThat(ledger(write(ARRIVED_NS + 1_000), USUAL))
                    .isEqualTo(explained(SENT_NS, "path.before-receiver bound"));
        }
    }

    @Test
    void ignoresRetransmissionsDuringAWaitOfTheReceiver() throws Exception {
        fixture.senderEvents.add(event(RETRANSMISSION, SENT_NS, RETRANSMITTED_NS));
        fixture.senderEvents.add(event(RETRANSMISSION, SENT_NS, 1_100_000));
        fixture.receiverEvents.add(event(RUN_QUEUE, ARRIVED_NS, 1_600_000));
        assertThat(ledger(write(1_601_000), USUAL))
                .containsEntry("sender.retransmission event", RETRANSMITTED_NS - SENT_NS - 300)
                .containsEntry("receiver.run-queue event", 300_000L);
    }

    /** Such a packet was on its way, not lost. */
    @Test
    void explainsNothingByARetransmissionAfterTheArrival() throws Exception {
        fixture.senderEvents.add(event(RETRANSMISSION, ARRIVED_NS, 2_000_000));
        assertThat(ledger(write(ARRIVED_NS + 1_000), USUAL))
                .isEqualTo(Map.of(
                        "sender.send-call bound", 300L,
                        "path.before-receiver bound", ARRIVED_NS - SENT_NS - 300,
                        "receiver.receiver-kernel stamp", 1_000L));
    }
}
