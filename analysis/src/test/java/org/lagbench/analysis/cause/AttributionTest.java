package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;
import static org.lagbench.core.cause.Cause.COMPILATION;
import static org.lagbench.core.cause.Cause.GARBAGE_COLLECTION;
import static org.lagbench.core.cause.Cause.KERNEL_DROP;
import static org.lagbench.core.cause.Cause.RETRANSMISSION;
import static org.lagbench.core.cause.Cause.RUN_QUEUE;
import static org.lagbench.core.cause.Cause.STALL;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;
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
    void attributesTailsAboveOtherQuantiles() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        // one of the 1,000 lags is above Q99.9, seven are above Q95
        assertThat(packets(figures(Tail.Q999).lag())).isEqualTo(Map.of("receiver stall", 1L));
        assertThat(packets(figures(Tail.Q95).lag())).isEqualTo(Map.of("receiver stall", 7L));
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
        assertThat(causes.lag().byCause()).isEmpty();
        assertThat(causes.lag().unexplained().packets()).isEqualTo(7);
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
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver stall", 7L));
    }

    @Test
    void attributesAWaitAtAnUnknownMoment() throws Exception {
        receiverEvents.add(wait(STOP_NS - 400_000, GO_NS + 400_000, GO_NS - STOP_NS));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver run-queue", 7L));
    }

    @Test
    void ignoresEventsBelowHalfTheExcess() throws Exception {
        // 3 of the 6.5 µs: less than half the excess of the first packet, enough for the later ones
        receiverEvents.add(event(STALL, STOP_NS, STOP_NS + 3_000));
        CauseMetrics causes = received(STOP_NS, GO_NS);
        assertThat(packets(causes.lag())).isEqualTo(Map.of("receiver stall", 6L));
        assertThat(causes.lag().unexplained().packets()).isEqualTo(1);
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
        CauseMetrics causes = figures();
        assertThat(packets(causes.lag())).isEqualTo(Map.of("receiver stall", 7L));
        assertThat(causes.lag().unexplained().packets()).isEqualTo(7);
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
        assertThat(figures().losses()).isEqualTo(new LossCauses(5, 3));
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
        return figures();
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
        return figures();
    }

    private Path write(String name, long[] scheduled, long[] sent, List<long[]> arrivals) throws Exception {
        Path run = new SessionFixture(session)
                .run(name, "udp", 24)
                .scheduled(INTERVAL_NS, scheduled)
                .sent(sent)
                .received(arrivals.toArray(long[][]::new))
                .counts(new Counts(arrivals.size(), arrivals.size(), 0, 0, 0, 0, 3))
                .write();
        write(run.resolve(EventsCapture.SENDER_FILE_NAME), senderEvents);
        write(run.resolve(EventsCapture.RECEIVER_FILE_NAME), receiverEvents);
        return run;
    }

    private static void write(Path file, List<long[]> events) throws Exception {
        try (EventsCapture capture = EventsCapture.create(file)) {
            for (long[] event : events) {
                capture.append(event[0], event[1], event[2], event[3]);
            }
        }
    }

    private CauseMetrics figures() throws Exception {
        return figures(Tail.DEFAULT);
    }

    private CauseMetrics figures(Tail tail) throws Exception {
        CauseMetrics causes = Summaries.of(Session.open(session), new SummaryOptions(false, false, tail))
                .points()
                .get(0)
                .pooled()
                .get(MetricGroup.CAUSES);
        assertThat(causes).isNotNull();
        return causes;
    }

    private static Map<String, Long> packets(TailCauses tail) {
        Map<String, Long> packets = new TreeMap<>();
        tail.byCause()
                .forEach((cause, share) ->
                        packets.put(cause.side().text() + " " + cause.cause().text(), share.packets()));
        return packets;
    }
}
