package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;
import static org.lagbench.core.cause.Cause.COMPILATION;
import static org.lagbench.core.cause.Cause.CPU_QUOTA;
import static org.lagbench.core.cause.Cause.GARBAGE_COLLECTION;
import static org.lagbench.core.cause.Cause.KERNEL_DROP;
import static org.lagbench.core.cause.Cause.RETRANSMISSION;
import static org.lagbench.core.cause.Cause.RUN_QUEUE;
import static org.lagbench.core.cause.Cause.STALL;
import static org.lagbench.core.cause.Cause.WIRE_OR_WAKE_UP;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.cause.CauseMetrics.LossCauses;
import org.lagbench.analysis.cause.CauseMetrics.StampCounts;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.run.RunRecord.Counts;

/**
 * Runs of 1,000 packets, one every 1,000 ns, with a lag of 100 ns unless a stop with known times delays them. A
 * single-server queue computes the stamps, without the code under test.
 */
class AttributionTest {
    private static final int PACKETS = 1_000;
    private static final long INTERVAL_NS = 1_000;
    private static final long TRANSIT_NS = 100;
    private static final long SERVICE_NS = 10;

    /**
     * The beginning of the stop. Packets sent from 500,000 ns on wait until 506,500 ns: seven of the ten packets above
     * Q99.
     */
    private static final long STOP_NS = 499_950;

    private static final long GO_NS = 506_500;

    @TempDir
    Path directory;

    private final List<long[]> senderEvents = new ArrayList<>();
    private final List<long[]> receiverEvents = new ArrayList<>();

    private int sessions;

    private Path session;

    /** How long the send call of packet 500 takes. */
    private long callNs = 1;

    private String remoteAddress = "127.0.0.1:4711";

    /** How many of the sender's retransmissions, of which there is one, the receiver reports as duplicates. */
    private int needless;

    /** How far the receiver's clock is ahead, in ns. */
    private long aheadNs;

    @Test
    void attributesLatePacketsToReceiversStop() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        CauseMetrics causes = received(STOP_NS, GO_NS);
        assertThat(packets(causes.lag())).isEqualTo(Map.of("receiver stall", 7L));
        assertThat(causes.lag().unexplained().packets()).isZero();
        // due from 500,100 to 506,100; each received 10 ns after the one before
        assertThat(causes.lag().total().excessNs()).isEqualTo(6_410 + 5_420 + 4_430 + 3_440 + 2_450 + 1_460 + 470);
    }

    @Test
    void groupsSlowestPacketsByQueue() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        Path run = writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        try (JoinedRun joined = JoinedRun.open(run)) {
            List<TailEvent> events = TailEvent.slowest(joined, 5);
            assertThat(events).hasSize(1);
            assertThat(events.get(0).packets()).isEqualTo(7);
            assertThat(events.get(0).first()).isEqualTo(500);
            assertThat(events.get(0).last()).isEqualTo(506);
            assertThat(events.get(0).slowest().packet()).isEqualTo(500);
            assertThat(events.get(0).slowest().lagNs()).isEqualTo(TRANSIT_NS + 6_410);
        }
    }

    @Test
    void namesProgramThatRanLongest() throws Exception {
        long hog = 'h' | 'o' << 8 | 'g' << 16;
        receiverEvents.add(named(STOP_NS, GO_NS - 500, hog));
        receiverEvents.add(named(GO_NS - 500, GO_NS, 'x'));
        assertThat(received(STOP_NS, GO_NS).lag().byCause().keySet())
                .extracting(SideCause::text)
                .containsExactly("receiver.run-queue:hog", "receiver.run-queue:x");
    }

    @Test
    void doesNotAttributeWaitForOtherProgramToCompilation() throws Exception {
        receiverEvents.add(event(COMPILATION, STOP_NS, GO_NS));
        receiverEvents.add(named(STOP_NS, GO_NS, 'x'));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver run-queue", 7L));
    }

    @Test
    void attributesAWaitToTheQuotaThatStoppedTheThread() throws Exception {
        receiverEvents.add(event(CPU_QUOTA, STOP_NS - 2_000, GO_NS));
        receiverEvents.add(named(STOP_NS, GO_NS, 'x'));
        assertThat(received(STOP_NS, GO_NS).lag().byCause().keySet())
                .extracting(SideCause::text)
                .containsExactly("receiver.cpu-quota");
    }

    @Test
    void doesNotBlameQuotaWithoutWait() throws Exception {
        receiverEvents.add(event(CPU_QUOTA, STOP_NS, GO_NS));
        assertThat(received(STOP_NS, GO_NS).lag().unexplained().packets()).isEqualTo(7);
    }

    @Test
    void readsEventsWithoutPrograms() throws Exception {
        List<String> fields = List.of("cause", "start_ns", "end_ns", "took_ns");
        Path run = writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        Path events = run.resolve(EventsCapture.RECEIVER_FILE_NAME);
        Files.delete(events);
        try (GrowingCapture capture = GrowingCapture.create(events, fields)) {
            capture.append(STALL.code(), EPOCH_NS + STOP_NS, EPOCH_NS + GO_NS, GO_NS - STOP_NS);
        }
        assertThat(packets(causes().lag())).isEqualTo(Map.of("receiver stall", 7L));
    }

    @Test
    void attributesTailsAboveOtherQuantiles() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        // one of the 1,000 lags is above Q99.9, seven are above Q95
        assertThat(packets(causes(Tail.Q999).lag())).isEqualTo(Map.of("receiver stall", 1L));
        assertThat(packets(causes(Tail.Q95).lag())).isEqualTo(Map.of("receiver stall", 7L));
    }

    @Test
    void attributesPacketsBehindALossToItsRetransmission() throws Exception {
        aheadNs = 3_600_000_000_000L; // the clocks do not matter
        senderEvents.add(event(RETRANSMISSION, STOP_NS + 50, GO_NS - TRANSIT_NS));
        senderEvents.add(event(RETRANSMISSION, GO_NS + 50_000, GO_NS + 90_000));
        for (long at = STOP_NS - 5_000; at < GO_NS + 5_000; at += 1_000) {
            senderEvents.add(wait(at, at + 1_000, 30)); // spans all of that time, but the wait took little of it
        }
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("sender retransmission", 7L));
    }

    @Test
    void ignoresAnHourOfClockOffset() throws Exception {
        aheadNs = 3_600_000_000_000L;
        receiverEvents.add(event(STALL, STOP_NS + aheadNs, GO_NS + aheadNs));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver stall", 7L));
    }

    @Test
    void ignoresEventsThatMatchOnlyByTheOtherClock() throws Exception {
        aheadNs = 3_600_000_000_000L;
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        CauseMetrics causes = received(STOP_NS, GO_NS);
        assertThat(packets(causes.lag())).isEmpty();
        assertThat(causes.lag().unexplained().packets()).isEqualTo(7);
    }

    @Test
    void attributesTheRestToSleepOfTheReceiver() throws Exception {
        receiverEvents.add(event(WIRE_OR_WAKE_UP, STOP_NS - 300_000, GO_NS));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver wire-or-wake-up", 7L));
        receiverEvents.add(event(RUN_QUEUE, STOP_NS, GO_NS));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver run-queue", 7L));
    }

    @Test
    void leavesTheTimeAfterASleepUnexplained() throws Exception {
        receiverEvents.add(event(WIRE_OR_WAKE_UP, STOP_NS - 300_000, STOP_NS));
        senderEvents.add(event(WIRE_OR_WAKE_UP, STOP_NS, GO_NS));
        assertThat(received(STOP_NS, GO_NS).lag().unexplained().packets()).isEqualTo(7);
    }

    @Test
    void prefersACollectionToTheStallThatItCauses() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        receiverEvents.add(event(GARBAGE_COLLECTION, STOP_NS + 10, GO_NS - 10));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver garbage-collection", 7L));
    }

    @Test
    void prefersALongStallToAShortCollection() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        receiverEvents.add(event(GARBAGE_COLLECTION, STOP_NS + 3_000, STOP_NS + 3_050));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver stall", 7L));
    }

    @Test
    void attributesCompilationOnlyDuringAWait() throws Exception {
        receiverEvents.add(event(COMPILATION, STOP_NS - 300_000, GO_NS + 300_000));
        assertThat(received(STOP_NS, GO_NS).lag().unexplained().packets()).isEqualTo(7);
        receiverEvents.add(event(RUN_QUEUE, STOP_NS, GO_NS));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver compilation", 7L));
    }

    @Test
    void countsOnlyTheLengthOfShortWaits() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS - 1_000));
        for (long at = STOP_NS - 5_000; at < GO_NS + 5_000; at += 1_000) {
            senderEvents.add(wait(at, at + 1_000, 100));
        }
        assertThat(packets(received(STOP_NS, GO_NS).lag()))
                .isEqualTo(Map.of("receiver stall", 5L)); // packets due before the stall ended
    }

    @Test
    void attributesAWaitAtAnUnknownTime() throws Exception {
        receiverEvents.add(wait(STOP_NS - 400_000, GO_NS + 400_000, GO_NS - STOP_NS));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver run-queue", 7L));
    }

    /** Drops and a collection cut the interval of the wait into five pieces, each longer than the wait. */
    @Test
    void countsAWaitAtAnUnknownTimeOnce() throws Exception {
        receiverEvents.add(wait(STOP_NS, GO_NS, 600));
        receiverEvents.add(event(KERNEL_DROP, STOP_NS + 1_000, STOP_NS + 1_001));
        receiverEvents.add(event(GARBAGE_COLLECTION, STOP_NS + 2_000, STOP_NS + 2_010));
        receiverEvents.add(event(KERNEL_DROP, STOP_NS + 3_000, STOP_NS + 3_001));
        Path path = writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("receiver.run-queue", 600L, "receiver.garbage-collection", 10L));
    }

    @Test
    void leavesMostUnexplainedIfEventsCoverLess() throws Exception {
        // 3 of the 6.5 µs: less than half the excess of each packet
        receiverEvents.add(event(STALL, STOP_NS, STOP_NS + 3_000));
        CauseMetrics causes = received(STOP_NS, GO_NS);
        assertThat(packets(causes.lag())).isEmpty();
        assertThat(causes.lag().unexplained().packets()).isEqualTo(7);
        // three packets are due during it; packet n of the seven waits n × 10 ns behind those that it delayed
        assertThat(causes.lag()
                        .byCause()
                        .get(new SideCause(Role.RECEIVER, STALL, null))
                        .excessNs())
                .isEqualTo(2_850 + 1_850 + 850 + 21 * SERVICE_NS);
    }

    @Test
    void attributesOnlyLagFromScheduleToSendersStop() throws Exception {
        senderEvents.add(event(STALL, STOP_NS, GO_NS));
        CauseMetrics causes = sent(STOP_NS, GO_NS);
        assertThat(packets(causes.lag())).isEmpty();
        TailCauses fromSchedule = causes.lagFromSchedule();
        assertThat(fromSchedule).isNotNull();
        assertThat(packets(fromSchedule)).isEqualTo(Map.of("sender stall", 7L));
    }

    @Test
    void attributesQueuedPacketsToTheStopBeforeThem() throws Exception {
        // at 900 ns per 1,000 a queue of 4 packets takes about 30 packets to drain; its beginning is above Q99
        receiverEvents.add(event(GARBAGE_COLLECTION, STOP_NS, STOP_NS + 3_000));
        CauseMetrics causes = received(STOP_NS, STOP_NS + 3_000, 900);
        assertThat(packets(causes.lag())).isEqualTo(Map.of("receiver garbage-collection", 10L));
        assertThat(causes.lag().unexplained().packets()).isZero();
    }

    @Test
    void poolsRepeatsAttributedWithinTheirRuns() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        receiverEvents.clear();
        writeReceived("a-r2", STOP_NS, GO_NS, SERVICE_NS);
        CauseMetrics causes = causes();
        assertThat(packets(causes.lag())).isEqualTo(Map.of("receiver stall", 7L));
        assertThat(causes.lag().unexplained().packets()).isEqualTo(7);
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
        long readyNs = sentNs + 700 + aheadNs; // by the receiver's clock
        long receivedNs = readyNs + TRANSIT_NS + 3_000 + 1_300;
        senderEvents.add(event(GARBAGE_COLLECTION, scheduled, sentNs));
        senderEvents.add(event(RUN_QUEUE, sentNs, sentNs + 700));
        receiverEvents.add(named(readyNs + TRANSIT_NS, readyNs + TRANSIT_NS + 3_000, 'x'));
        receiverEvents.add(event(GARBAGE_COLLECTION, readyNs + TRANSIT_NS + 3_000, receivedNs));
        long[] schedule = LongStream.range(0, PACKETS).map(i -> i * INTERVAL_NS).toArray();
        long[] sent = schedule.clone();
        sent[500] = sentNs;
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            if (i < 500 || i > 510) {
                arrivals.add(new long[] {i, sent[i] + TRANSIT_NS + aheadNs});
            }
            if (i == 510) {
                arrivals.add(new long[] {500, receivedNs});
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
                    Parts excess = scan.excess();
                    assertThat(excess.parts().stream().mapToLong(Part::ns).sum())
                            .isEqualTo(scan.lagNs() - TRANSIT_NS - aheadNs);
                    assertThat(excess.parts()).isSortedAccordingTo(Comparator.comparingLong(Part::sinceNs));
                    Map<String, Long> parts = new TreeMap<>();
                    excess.byCause().forEach((cause, ns) -> parts.put(cause.text(), ns));
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
        assertThat(packets(causes().lag())).isEqualTo(Map.of("path before-receiver", 1L));
        assertThat(causes().stamps()).isEqualTo(new StampCounts(PACKETS - 10, PACKETS - 10, 0, 0));
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
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500)).isEqualTo(Map.of("receiver.run-queue", 5_000L));
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
                .isEqualTo(Map.of("path.network-or-receiver", 3_000L, "receiver.run-queue", 2_000L));
        assertThat(causes().stamps()).isEqualTo(new StampCounts(PACKETS - 9, PACKETS - 10, 1, 0));
    }

    /** What was retransmitted arrived last, but the stamp is that of the segments behind it, which arrived before. */
    @Test
    void doesNotTrustStampOfRetransmission() throws Exception {
        senderEvents.add(event(RETRANSMISSION, 500 * INTERVAL_NS + 200, 500 * INTERVAL_NS + 1_200));
        Path path = writeStamped("tcp", 0, 5_000);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("sender.retransmission", 1_200L, "path.network-or-receiver", 3_800L));
    }

    /** The acknowledgment came late, not the segment. */
    @Test
    void doesNotBlameNeedlessRetransmission() throws Exception {
        needless = 1;
        senderEvents.add(event(RETRANSMISSION, 500 * INTERVAL_NS + 200, 500 * INTERVAL_NS + 1_200));
        Path path = writeStamped("tcp", 3_000, 2_000);
        assertThat(excess(path, PacketDelay.TRANSMIT_LAG, 500))
                .isEqualTo(Map.of("path.network-or-receiver", 3_000L, "receiver.run-queue", 2_000L));
    }

    @Test
    void blamesNetworkOrReceiverWithoutStamps() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        remoteAddress = "192.0.2.1:4711";
        CauseMetrics causes = received(STOP_NS, GO_NS);
        assertThat(packets(causes.lag())).isEqualTo(Map.of("path network-or-receiver", 7L));
        assertThat(causes.stamps()).isEqualTo(new StampCounts(PACKETS, 0, 0, 0));
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

    @Test
    void attributesLossesToKernelDrops() throws Exception {
        receiverEvents.add(event(KERNEL_DROP, 300_000, 310_000));
        long[] sent = new long[PACKETS];
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * INTERVAL_NS;
            boolean dropped = i >= 302 && i < 305;
            boolean lostOnTheWay = i >= 700 && i < 702;
            if (!dropped && !lostOnTheWay) {
                arrivals.add(new long[] {i, sent[i] + TRANSIT_NS});
            }
        }
        write("a-r1", sent, sent, arrivals);
        assertThat(causes().losses()).isEqualTo(new LossCauses(5, 3));
    }

    @Test
    void hasNoCausesWithoutEventsOfBothSides() throws Exception {
        Path run = writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        Files.delete(run.resolve(EventsCapture.RECEIVER_FILE_NAME));
        assertThat(Summaries.of(Session.open(session), SummaryOptions.DEFAULT)
                        .points()
                        .get(0)
                        .pooled()
                        .get(MetricGroup.CAUSES))
                .isNull();
    }

    @BeforeEach
    void nextSession() {
        session = directory.resolve("session-" + sessions++);
    }

    private static long[] event(Cause cause, long startNs, long endNs) {
        return new long[] {cause.code(), EPOCH_NS + startNs, EPOCH_NS + endNs, endNs - startNs};
    }

    /** Returns the event of a wait for a CPU on which a program ran, by the first 8 bytes of its name. */
    private static long[] named(long startNs, long endNs, long program0) {
        return new long[] {RUN_QUEUE.code(), EPOCH_NS + startNs, EPOCH_NS + endNs, endNs - startNs, program0, 0};
    }

    /** Returns the event of a wait for a CPU that took only {@code tookNs} of the time between start and end. */
    private static long[] wait(long startNs, long endNs, long tookNs) {
        return new long[] {RUN_QUEUE.code(), EPOCH_NS + startNs, EPOCH_NS + endNs, tookNs};
    }

    private CauseMetrics received(long stopNs, long goNs) throws Exception {
        return received(stopNs, goNs, SERVICE_NS);
    }

    /** Computes the causes of a run whose receiver needs a service time per packet, and stops between two times. */
    private CauseMetrics received(long stopNs, long goNs, long serviceNs) throws Exception {
        nextSession();
        writeReceived("a-r1", stopNs, goNs, serviceNs);
        return causes();
    }

    private Path writeReceived(String name, long stopNs, long goNs, long serviceNs) throws Exception {
        long[] sent = new long[PACKETS];
        List<long[]> arrivals = new ArrayList<>();
        long freeNs = 0;
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * INTERVAL_NS;
            long beginNs = Math.max(freeNs, sent[i] + TRANSIT_NS - serviceNs);
            if (beginNs + serviceNs > stopNs && beginNs < goNs) {
                beginNs = goNs;
            }
            freeNs = beginNs + serviceNs;
            arrivals.add(new long[] {i, freeNs + aheadNs});
        }
        return write(name, sent, sent, arrivals);
    }

    /** Computes the causes of a run whose sender stops between two times. */
    private CauseMetrics sent(long stopNs, long goNs) throws Exception {
        long[] scheduled = new long[PACKETS];
        long[] sent = new long[PACKETS];
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            scheduled[i] = i * INTERVAL_NS;
            sent[i] = scheduled[i] >= stopNs && scheduled[i] < goNs ? goNs + i : scheduled[i];
            arrivals.add(new long[] {i, sent[i] + TRANSIT_NS});
        }
        write("a-r1", scheduled, sent, arrivals);
        return causes();
    }

    private Path write(String name, long[] scheduled, long[] sent, List<long[]> arrivals) throws Exception {
        return write(name, scheduled, sent, nextOf(sent), arrivals);
    }

    private static long[] nextOf(long[] timesNs) {
        return Arrays.stream(timesNs).map(ns -> ns + 1).toArray();
    }

    private Path write(String name, long[] scheduled, long[] sent, long[] returned, List<long[]> arrivals)
            throws Exception {
        return write("udp", name, scheduled, sent, returned, arrivals);
    }

    private Path write(
            String transport, String name, long[] scheduled, long[] sent, long[] returned, List<long[]> arrivals)
            throws Exception {
        Path run = new SessionFixture(session)
                .run(name, transport, 24)
                .scheduled(INTERVAL_NS, scheduled)
                .sent(sent)
                .returned(returned)
                .received(arrivals.toArray(long[][]::new))
                .metadata(
                        Map.of(
                                "remoteAddress",
                                remoteAddress,
                                KernelCapture.FIRST_KEY_NAME,
                                0,
                                "retransmittedSegments",
                                1,
                                "needlessRetransmissions",
                                needless),
                        Map.of())
                .counts(new Counts(arrivals.size(), arrivals.size(), 0, 0, 0, 0, 3))
                .write();
        write(run.resolve(EventsCapture.SENDER_FILE_NAME), senderEvents);
        write(run.resolve(EventsCapture.RECEIVER_FILE_NAME), receiverEvents);
        return run;
    }

    private static void write(Path file, List<long[]> events) throws Exception {
        try (GrowingCapture capture = EventsCapture.create(file)) {
            for (long[] event : events) {
                capture.append(
                        event[0],
                        event[1],
                        event[2],
                        event[3],
                        event.length > 4 ? event[4] : 0,
                        event.length > 4 ? event[5] : 0);
            }
        }
    }

    private CauseMetrics causes() throws Exception {
        return causes(Tail.DEFAULT);
    }

    private CauseMetrics causes(Tail tail) throws Exception {
        SummaryOptions options = new SummaryOptions(false, false, tail, SummaryOptions.all());
        CauseMetrics causes = Summaries.of(Session.open(session), options)
                .points()
                .get(0)
                .pooled()
                .get(MetricGroup.CAUSES);
        assertThat(causes).isNotNull();
        return causes;
    }

    private static Map<String, Long> packets(TailCauses tail) {
        Map<String, Long> packets = new TreeMap<>();
        tail.byCause().forEach((cause, share) -> {
            if (share.packets() > 0) {
                packets.merge(cause.side().text() + " " + cause.cause().text(), share.packets(), Long::sum);
            }
        });
        return packets;
    }
}
