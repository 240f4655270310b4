package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.lagbench.analysis.cause.PacketSet.ALL;
import static org.lagbench.analysis.cause.PacketSet.TAIL;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.cause.LedgerTotal.PartTotal;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;

/** Which cause of both sides gets the slow packets of a run. */
class AttributionTest extends AttributionFixture {
    private static final SideCause STOP = new SideCause(Role.RECEIVER, STALL);

    @Test
    void attributesLatePacketsToReceiversStop() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        LedgerMetrics ledger = received(STOP_NS, GO_NS);
        assertThat(packets(ledger.lag())).isEqualTo(Map.of("receiver stall", 7L));
        assertThat(ledger.lag().tail().notExplained().packets()).isZero();
        // due from 500,100 to 506,100; each received 10 ns after the one before
        assertThat(ledger.lag().tail().total().excessNs())
                .isEqualTo(6_410 + 5_420 + 4_430 + 3_440 + 2_450 + 1_460 + 470);
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
        assertThat(excess(received(STOP_NS, GO_NS).lag()))
                .containsExactly("receiver.run-queue:hog", "receiver.run-queue:x");
    }

    @Test
    void doesNotAttributeWaitForOtherProgramToCompilation() throws Exception {
        receiverEvents.add(event(COMPILATION, STOP_NS, GO_NS));
        receiverEvents.add(named(STOP_NS, GO_NS, 'x'));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver run-queue", 7L));
    }

    @Test
    void attributesNoUnknownProgramToCompilationAmongKnownOnes() throws Exception {
        receiverEvents.add(event(COMPILATION, STOP_NS - 300_000, GO_NS + 300_000));
        receiverEvents.add(event(RUN_QUEUE, STOP_NS, GO_NS));
        receiverEvents.add(named(GO_NS + 2_000, GO_NS + 2_100, 'x'));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver run-queue", 7L));
    }

    @Test
    void doesNotBlameAStopInWhichPacketsWereReceived() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS - 300_000, GO_NS + 300_000));
        assertThat(received(STOP_NS, GO_NS).lag().tail().notExplained().packets())
                .isEqualTo(7);
    }

    @Test
    void attributesAWaitToTheQuotaThatStoppedTheThread() throws Exception {
        receiverEvents.add(event(CPU_QUOTA, STOP_NS - 2_000, GO_NS));
        receiverEvents.add(named(STOP_NS, GO_NS, 'x'));
        assertThat(excess(received(STOP_NS, GO_NS).lag())).containsExactly("receiver.cpu-quota");
    }

    @Test
    void doesNotBlameQuotaWithoutWait() throws Exception {
        receiverEvents.add(event(CPU_QUOTA, STOP_NS, GO_NS));
        assertThat(received(STOP_NS, GO_NS).lag().tail().notExplained().packets())
                .isEqualTo(7);
    }

    @Test
    void attributesTailsAboveOtherQuantiles() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        // one of the 1,000 lags is above Q99.9, seven are above Q95
        assertThat(packets(ledger(Tail.Q999).lag())).isEqualTo(Map.of("receiver stall", 1L));
        assertThat(packets(ledger(Tail.Q95).lag())).isEqualTo(Map.of("receiver stall", 7L));
    }

    @Test
    void attributesPacketsBehindALossToItsRetransmission() throws Exception {
        aheadNs = 3_600_000_000_000L; // the clocks do not matter
        remoteAddress = "192.0.2.1:4711";
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
        remoteAddress = "192.0.2.1:4711";
        hasStamps = true;
        receiverEvents.add(event(STALL, STOP_NS + aheadNs, GO_NS + aheadNs));
        assertThat(packets(received(STOP_NS, GO_NS).lag())).isEqualTo(Map.of("receiver stall", 7L));
    }

    @Test
    void ignoresEventsThatMatchOnlyByTheOtherClock() throws Exception {
        aheadNs = 3_600_000_000_000L;
        remoteAddress = "192.0.2.1:4711";
        hasStamps = true;
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        LedgerMetrics ledger = received(STOP_NS, GO_NS);
        assertThat(packets(ledger.lag())).isEmpty();
        assertThat(ledger.lag().tail().notExplained().packets()).isEqualTo(7);
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
        assertThat(received(STOP_NS, GO_NS).lag().tail().notExplained().packets())
                .isEqualTo(7);
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
        assertThat(received(STOP_NS, GO_NS).lag().tail().notExplained().packets())
                .isEqualTo(7);
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

    @Test
    void leavesMostUnexplainedIfEventsCoverLess() throws Exception {
        // 3 of the 6.5 µs: less than half the excess of each packet
        receiverEvents.add(event(STALL, STOP_NS, STOP_NS + 3_000));
        LedgerMetrics ledger = received(STOP_NS, GO_NS);
        assertThat(packets(ledger.lag())).isEmpty();
        assertThat(ledger.lag().tail().notExplained().packets()).isEqualTo(7);
        // three packets are sent during it; packet n of the seven waits (n - 1) × 10 ns behind those that it delayed
        assertThat(ledger.lag().tail().parts().get(STOP).excessNs())
                .isCloseTo(2_950 + 1_950 + 950 + 15 * SERVICE_NS, withinPercentage(2));
    }

    @Test
    void attributesOnlyLagFromScheduleToSendersStop() throws Exception {
        senderEvents.add(event(STALL, STOP_NS, GO_NS));
        LedgerMetrics ledger = sent(STOP_NS, GO_NS);
        assertThat(packets(ledger.lag())).isEmpty();
        LagLedgers fromSchedule = ledger.lagFromSchedule();
        assertThat(fromSchedule).isNotNull();
        assertThat(packets(fromSchedule)).isEqualTo(Map.of("sender stall", 7L));
    }

    @Test
    void attributesQueuedPacketsToTheStopBeforeThem() throws Exception {
        // at 900 ns per 1,000 a queue of 4 packets takes about 30 packets to drain; its beginning is above Q99
        receiverEvents.add(event(GARBAGE_COLLECTION, STOP_NS, STOP_NS + 3_000));
        LedgerMetrics ledger = received(STOP_NS, STOP_NS + 3_000, 900);
        assertThat(packets(ledger.lag())).isEqualTo(Map.of("receiver garbage-collection", 10L));
        assertThat(ledger.lag().tail().notExplained().packets()).isZero();
    }

    @Test
    void poolsRepeatsAttributedWithinTheirRuns() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        receiverEvents.clear();
        writeReceived("a-r2", STOP_NS, GO_NS, SERVICE_NS);
        LedgerMetrics ledger = ledger();
        assertThat(packets(ledger.lag())).isEqualTo(Map.of("receiver stall", 7L));
        assertThat(ledger.lag().tail().notExplained().packets()).isEqualTo(7);
    }

    /** The sums over each set are those of its packets, in the pooled metrics too. */
    @Test
    void sumsLedgersOverEachSetOfPackets() throws Exception {
        receiverEvents.add(event(STALL, STOP_NS, GO_NS));
        Path run = writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        writeReceived("a-r2", STOP_NS, GO_NS, SERVICE_NS);
        Map<PacketSet, Long> packets = new EnumMap<>(PacketSet.class);
        Map<PacketSet, Long> lagsNs = new EnumMap<>(PacketSet.class);
        long stoppedNs = 0;
        try (JoinedRun joined = JoinedRun.open(run)) {
            TailScan scan = Objects.requireNonNull(Ledger.scan(joined, Tail.DEFAULT));
            for (long i = 0; i < PACKETS; i++) {
                List<PacketSet> sets = scan.advance(i) ? List.of(ALL, TAIL) : List.of(ALL);
                Ledger ledger = scan.ledger();
                for (PacketSet set : sets) {
                    packets.merge(set, 2L, Long::sum);
                    lagsNs.merge(set, 2 * ledger.lagNs(), Long::sum);
                }
                stoppedNs += 2 * ledger.parts().byCause().getOrDefault(STOP, 0L);
            }
        }
        LagLedgers lag = ledger().lag();
        for (PacketSet set : List.of(ALL, TAIL)) {
            assertThat(lag.of(set).packets()).as(set.text()).isEqualTo(packets.get(set));
            assertThat(lag.of(set).total().ns()).as(set.text()).isEqualTo(lagsNs.get(set));
        }
        assertThat(lag.all().parts().get(STOP)).isEqualTo(new PartTotal(stoppedNs, 0, 0));
        assertThat(lag.median().total().ns()).isEqualTo(lag.median().packets() * TRANSIT_NS);
        assertThat(lag.tail().total().packets()).isEqualTo(lag.tail().packets());
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
        assertThat(ledger().losses()).isEqualTo(new LossCauses(5, 3, 0, Map.of()));
    }

    @Test
    void hasNoCausesWithoutEventsOfBothSides() throws Exception {
        Path run = writeReceived("a-r1", STOP_NS, GO_NS, SERVICE_NS);
        Files.delete(run.resolve(EventsCapture.RECEIVER_FILE_NAME));
        assertThat(Summaries.of(Session.open(session), SummaryOptions.DEFAULT)
                        .points()
                        .get(0)
                        .pooled()
                        .get(CauseGroups.LEDGER))
                .isNull();
    }
}
