package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;
import static org.lagbench.core.cause.Cause.GARBAGE_COLLECTION;
import static org.lagbench.core.cause.Cause.KERNEL_DROP;
import static org.lagbench.core.cause.Cause.RETRANSMISSION;
import static org.lagbench.core.cause.Cause.RUN_QUEUE;
import static org.lagbench.core.cause.Cause.STALL;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.capture.KernelCapture;

/** The parts of the excess of one slow packet, with and without stamps of the kernel. */
class AttributedPartsTest extends AttributionFixture {
    /** Drops and a collection cut the interval of the wait into five pieces, each longer than the wait. */
    @Test
    void countsAWaitAtAnUnknownTimeOnce() throws Exception {
        receiverEvents.add(wait(STOP_NS, GO_NS, 600));
        receiverEvents.add(event(KERNEL_DROP, STOP_NS + 1_000, STOP_NS + 1_001));
        receiverEvents.add(event(GARBAGE_COLLECTION, STOP_NS + 2_000, STOP_NS + 2_010));
        receiverEvents.add(event(KERNEL_DROP, STOP_NS + 3_000, STOP_NS + 3_001));
        Path path = writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(
                        Map.of("receiver.run-queue", 600L, "receiver.garbage-collection", 10L, "unexplained", 5_800L));
    }

    /**
     * Packet 500 is sent 2,000 ns late for a collection, its send call waits 700 ns for a CPU, it meets a receiver that
     * waits 3,000 ns for a CPU and stops 1,300 ns for a collection.
     */
    @Test
    void addsUpPartsOfSeveralCauses() throws Exception {
        nextSession();
        aheadNs = 3_600_000_000_000L;
        long scheduled = 500 * INTERVAL_NS;
        long sentNs = scheduled + 2_000;
        remoteAddress = "192.0.2.1:4711";
        long stampNs = sentNs + 700 + 60 + aheadNs; // by the receiver's clock
        long receivedNs = stampNs + 3_000 + 1_300 + 40;
        senderEvents.add(event(GARBAGE_COLLECTION, scheduled, sentNs));
        senderEvents.add(event(RUN_QUEUE, sentNs, sentNs + 700));
        receiverEvents.add(named(stampNs, stampNs + 3_000, 'x'));
        receiverEvents.add(event(GARBAGE_COLLECTION, stampNs + 3_000, receivedNs - 40));
        long[] schedule = LongStream.range(0, PACKETS).map(i -> i * INTERVAL_NS).toArray();
        long[] sent = schedule.clone();
        sent[500] = sentNs;
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            if (i < 500 || i > 510) {
                arrivals.add(new long[] {i, sent[i] + TRANSIT_NS + aheadNs, sent[i] + 60 + aheadNs});
            }
            if (i == 510) {
                arrivals.add(new long[] {500, receivedNs, stampNs});
            }
        }
        long[] returned = Arrays.stream(sent).map(ns -> ns + 1).toArray();
        returned[500] = sentNs + 700;
        Path path = write("a-r1", schedule, sent, returned, arrivals);
        assertThat(excess(path, PacketDelay.LAG_FROM_SCHEDULE, 500))
                .isEqualTo(Map.of(
                        "sender.garbage-collection", 2_000L,
                        "sender.run-queue", 700L,
                        "receiver.run-queue:x", 3_000L,
                        "receiver.garbage-collection", 1_300L));
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of(
                        "sender.run-queue", 700L,
                        "receiver.run-queue:x", 3_000L,
                        "receiver.garbage-collection", 1_300L));
    }

    /** Returns the parts of a packet's excess, after a check that they add up to its lag above the median. */
    private Map<String, Long> excess(Path path, PacketDelay lag, long packet) throws Exception {
        try (JoinedRun run = JoinedRun.open(path)) {
            RunCauses causes = RunCauses.open(run, Tail.DEFAULT);
            assertThat(causes).isNotNull();
            Attribution.TailScan scan = causes.attribution(lag).scan();
            for (long i = 0; i < run.received(); i++) {
                boolean isInTail = scan.advance(i);
                if (run.packetOf(i) == packet) {
                    assertThat(isInTail).isTrue();
                    Excess excess = scan.excess();
                    Map<String, Long> parts = new TreeMap<>();
                    excess.byCause().forEach((cause, ns) -> parts.put(cause.text(), Math.round(ns)));
                    if (excess.unexplainedNs() >= 1) {
                        parts.put("unexplained", Math.round(excess.unexplainedNs()));
                    }
                    assertThat(parts.values().stream().mapToLong(ns -> ns).sum())
                            .isEqualTo(scan.ledger().lagNs() - TRANSIT_NS - aheadNs);
                    return parts;
                }
            }
        }
        throw new AssertionError("packet " + packet + " did not arrive");
    }

    /** The receiver of packet 500 waits from 30 to 180 ns after its departure, and then takes 20 ns for the packet. */
    @Test
    void attributesAWaitBeforeTheLastSteps() throws Exception {
        nextSession();
        long[] sent = LongStream.range(0, PACKETS).map(i -> i * INTERVAL_NS).toArray();
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            arrivals.add(new long[] {i, sent[i] + (i == 0 ? 60 : i == 500 ? 200 : TRANSIT_NS)});
        }
        receiverEvents.add(event(RUN_QUEUE, sent[500] + 30, sent[500] + 180));
        Path path = write("a-r1", sent, sent, arrivals);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500)).isEqualTo(Map.of("receiver.run-queue", TRANSIT_NS));
    }

    /** Packet 500 is 3,000 ns late on the network; then its receiver, which waits all the time, waits 2,000 ns more. */
    @Test
    void countsWaitFromTheKernelsStampOn() throws Exception {
        aheadNs = 3_600_000_000_000L;
        Path path = writeStamped("udp", 3_000, 2_000);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("path.before-receiver", 3_000L, "receiver.run-queue", 2_000L));
    }

    @Test
    void doesNotBlameReceiverForNetwork() throws Exception {
        Path path = writeStamped("udp", 5_000, 0);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500)).isEqualTo(Map.of("path.before-receiver", 5_000L));
        assertThat(packets(ledger().lag())).isEqualTo(Map.of("path before-receiver", 1L));
        assertThat(ledger().stamps()).isEqualTo(new StampCounts(PACKETS - 10, PACKETS - 10, 0, 0));
    }

    @Test
    void doesNotBlameReceiverForSender() throws Exception {
        callNs = 5_000;
        senderEvents.add(event(RUN_QUEUE, 500 * INTERVAL_NS, 500 * INTERVAL_NS + 5_000));
        Path path = writeStamped("udp", 5_000, 0);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500)).isEqualTo(Map.of("sender.run-queue", 5_000L));
    }

    /** The sender waits for the same CPU, but only after the packet has reached the receiver's kernel. */
    @Test
    void doesNotBlameSenderForReceiver() throws Exception {
        callNs = 5_000;
        senderEvents.add(event(RUN_QUEUE, 500 * INTERVAL_NS, 500 * INTERVAL_NS + 5_000));
        Path path = writeStamped("udp", 0, 5_000);
        // its time until the stamp may have been in the send call
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("receiver.run-queue", 4_941L, "sender.run-queue", 59L));
    }

    /** The sender's driver gets each packet after 20 ns, packet 500 after 1,820. */
    @Test
    void dividesTheWayByTheStampsOfTheSendersDriver() throws Exception {
        Path path = writeStamped("udp", 3_000, 0);
        try (KernelCapture stamps = KernelCapture.create(path.resolve(KernelCapture.FILE_NAME), 2L * PACKETS)) {
            for (int i = 0; i < PACKETS; i++) {
                long leftNs = EPOCH_NS + i * INTERVAL_NS + (i == 500 ? 1_820 : 20);
                stamps.append(KernelCapture.SCHEDULED, i, leftNs - 10);
                stamps.append(KernelCapture.SENT, i, leftNs);
            }
        }
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("sender.sender-queue", 1_800L, "path.network", 1_200L));
    }

    /** The read that takes packet 500 also takes 501, whose stamp is the only one: the packet arrived before it. */
    @Test
    void leavesTimeBeforeASharedStampUnproven() throws Exception {
        Path path = writeStamped("tcp", 3_000, 2_000);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("unexplained", 3_000L, "receiver.run-queue", 2_000L));
        assertThat(ledger().stamps()).isEqualTo(new StampCounts(PACKETS - 9, PACKETS - 10, 1, 0));
    }

    /** What was retransmitted arrived last, but the stamp is that of the segments behind it, which arrived before. */
    @Test
    void doesNotTrustStampOfRetransmission() throws Exception {
        senderEvents.add(event(RETRANSMISSION, 500 * INTERVAL_NS + 200, 500 * INTERVAL_NS + 1_200));
        Path path = writeStamped("tcp", 0, 5_000);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("sender.retransmission", 1_140L, "unexplained", 3_860L));
    }

    /** The acknowledgment came late, not the segment. */
    @Test
    void doesNotBlameNeedlessRetransmission() throws Exception {
        needless = 1;
        senderEvents.add(event(RETRANSMISSION, 500 * INTERVAL_NS + 200, 500 * INTERVAL_NS + 1_200));
        Path path = writeStamped("tcp", 3_000, 2_000);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("unexplained", 3_000L, "receiver.run-queue", 2_000L));
    }

    @Test
    void explainsNothingOverANetworkWithoutStamps() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        remoteAddress = "192.0.2.1:4711";
        LedgerMetrics ledger = received(STOP_NS, GO_NS);
        assertThat(packets(ledger.lag())).isEmpty();
        assertThat(ledger.lag().tail().notExplained().packets()).isEqualTo(7);
        assertThat(ledger.stamps()).isEqualTo(new StampCounts(PACKETS, 0, 0, 0));
    }

    /**
     * Writes a run over a network whose packets need 60 ns to the receiver's kernel and 40 ns from there. Packet 500
     * needs more for both. A wait of its receiver's thread covers both. The next packets are lost, except that of a
     * stream the last of them shares its read, and so its stamp.
     */
    private Path writeStamped(String transport, long lateNs, long waitNs) throws Exception {
        nextSession();
        remoteAddress = "192.0.2.1:4711";
        long[] sent = LongStream.range(0, PACKETS).map(i -> i * INTERVAL_NS).toArray();
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            long stampNs = sent[i] + 60 + (i == 500 ? lateNs : 0) + aheadNs;
            long receivedNs = stampNs + 40 + (i == 500 ? waitNs : 0);
            if (i <= 500 || i > 510) {
                arrivals.add(new long[] {i, receivedNs, stampNs});
            }
            if (i == 500 && transport.equals("tcp")) {
                arrivals.add(new long[] {501, receivedNs, stampNs});
            }
            if (i == 500) {
                receiverEvents.add(event(RUN_QUEUE, sent[i] + aheadNs, stampNs + waitNs));
            }
        }
        long[] returned = nextOf(sent);
        returned[500] = sent[500] + callNs;
        return write(transport, "a-r1", sent, sent, returned, arrivals);
    }
}
