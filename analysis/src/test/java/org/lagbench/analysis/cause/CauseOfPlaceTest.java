package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lagbench.analysis.cause.LedgerFixture.INTERVAL_NS;
import static org.lagbench.analysis.cause.LedgerFixture.event;
import static org.lagbench.core.cause.Cause.RETRANSMISSION;
import static org.lagbench.core.cause.Cause.RUN_QUEUE;
import static org.lagbench.core.cause.Cause.STALL;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.cause.LedgerFixture.Times;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.cause.Cause;

/** The cause of a packet is of the place where its stamps prove that it was delayed. */
class CauseOfPlaceTest {
    private static final int PACKETS = 4_000;
    private static final long CALL_NS = 300;
    private static final long LEFT_NS = 200;
    private static final long READ_NS = 2_000;

    @TempDir
    Path directory;

    private LedgerFixture fixture;

    @BeforeEach
    void recordsAll() {
        fixture = new LedgerFixture(directory);
        fixture.hasDepartures = true;
        fixture.receiverMetadata.put("kernelStamps", "the observer in the kernel");
    }

    /** Returns the causes of the packets above Q99 by their numbers. */
    private static Map<Long, String> causes(Path path) throws Exception {
        Map<Long, String> causes = new TreeMap<>();
        try (JoinedRun run = JoinedRun.open(path)) {
            Attribution.TailScan scan = LedgerFixture.scan(run, PacketDelay.TRANSMIT_LAG);
            for (long i = 0; i < run.received(); i++) {
                if (scan.advance(i)) {
                    SideCause cause = scan.excess().cause();
                    causes.put(run.packetOf(i), cause == null ? "unexplained" : cause.text());
                }
            }
        }
        return causes;
    }

    /**
     * A path of 6 ± 2.5 ms. The sender stops for 5 ms at a time: usually in its send call after the packet has left,
     * sometimes before that.
     */
    @Test
    void blamesTheSenderOnlyForStopsBeforeThePacketLeft() throws Exception {
        Random random = new Random(80);
        List<Times> times = new ArrayList<>();
        Map<Long, String> expected = new HashMap<>();
        long freeNs = 0;
        for (int i = 0; i < PACKETS; i++) {
            long scheduled = i * INTERVAL_NS;
            boolean stops = i % 80 == 40;
            boolean isBefore = i % 400 == 40;
            long sent = Math.max(scheduled, freeNs);
            long stopNs = sent + (isBefore ? 100 : LEFT_NS + 100);
            long left = sent + (isBefore ? 5_000_200 : LEFT_NS);
            long returned = sent + (stops ? 5_000_000 + CALL_NS : CALL_NS);
            long onTheWay =
                    stops && !isBefore ? 8_600_000 + random.nextLong(100_000) : 3_500_000 + random.nextLong(5_000_000);
            if (stops) {
                fixture.senderEvents.add(event(STALL, stopNs, stopNs + 5_000_000));
                expected.put((long) i, isBefore ? "sender.stall" : "path.network");
            }
            freeNs = returned;
            long stamp = left + onTheWay;
            times.add(new Times(
                    sent - scheduled,
                    returned - scheduled,
                    left - scheduled,
                    stamp - scheduled,
                    stamp + READ_NS - scheduled));
        }
        Map<Long, String> causes = causes(fixture.write("udp", times));
        assertThat(causes).hasSize(PACKETS / 100);
        expected.keySet().retainAll(causes.keySet());
        assertThat(expected.values()).contains("sender.stall").contains("path.network");
        assertThat(causes).containsAllEntriesOf(expected);
        causes.keySet().removeAll(expected.keySet());
        assertThat(causes.values()).allMatch("path.network"::equals);
    }

    /**
     * A path of 9,000 packets/s under 10,000, so that packets wait in the sender's queue, at the end for 44 ms. One is
     * lost and retransmitted while the last ones wait there; it delays those behind it by 2 ms.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void blamesALossOnlyFromTheDepartureOn(boolean hasDepartures) throws Exception {
        fixture.hasDepartures = hasDepartures;
        int lost = PACKETS - 280;
        long wayNs = 5_000_000;
        List<Times> times = new ArrayList<>();
        long leftNs = 0;
        long inOrderNs = 0;
        for (int i = 0; i < PACKETS; i++) {
            long scheduled = i * INTERVAL_NS;
            leftNs = Math.max(scheduled + LEFT_NS, leftNs + 111_000);
            long stamp = leftNs + wayNs;
            if (i == lost) {
                stamp += 2_000_000;
                fixture.senderEvents.add(event(RETRANSMISSION, leftNs, leftNs + 2_000_000));
            }
            inOrderNs = Math.max(inOrderNs, stamp);
            times.add(new Times(0, CALL_NS, leftNs - scheduled, stamp - scheduled, inOrderNs + READ_NS - scheduled));
        }
        Map<Long, String> causes = causes(fixture.write("tcp", times));
        assertThat(causes).hasSize(PACKETS / 100);
        assertThat(causes.values()).allMatch((hasDepartures ? "sender.sender-queue" : "path.before-receiver")::equals);
    }

    /** Packets of which only some have stamps of departure: what has none is not later for that. */
    @ParameterizedTest
    @ValueSource(ints = {2, 10})
    void comparesPacketsThatDifferInTheirStamps(int stamped) throws Exception {
        Random random = new Random(stamped);
        List<Times> times = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            long stopNs = i % 400 == 200 ? 2_000_000 : 0;
            boolean hasLeft = i % stamped == 0 ^ i % 800 == 200;
            long way = 6_000_000 + random.nextLong(100_000);
            long left = LEFT_NS + stopNs;
            if (stopNs > 0) {
                fixture.senderEvents.add(event(RUN_QUEUE, i * INTERVAL_NS, i * INTERVAL_NS + stopNs));
            }
            times.add(new Times(
                    0, stopNs + CALL_NS, hasLeft ? left : LedgerFixture.NONE, left + way, left + way + READ_NS));
        }
        Map<Long, String> causes = causes(fixture.write("udp", times));
        for (long stopped = 200; stopped < PACKETS; stopped += 400) {
            assertThat(causes).containsEntry(stopped, "sender.run-queue");
        }
    }

    /** A packet has no cause that its ledger does not have, but the events that made the queue that it waited in. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void causesArePartsOfTheLedger(long seed) throws Exception {
        Random random = new Random(seed);
        fixture.hasDepartures = seed % 2 == 0;
        fixture.senderMetadata.put("remoteAddress", seed % 3 == 0 ? "127.0.0.1:4711" : "192.0.2.1:4711");
        List<Times> times = new ArrayList<>();
        for (int packet = 0; packet < 500; packet++) {
            long sent = random.nextInt(30_000);
            long left = sent + random.nextInt(40_000);
            long stamp = left + random.nextInt(150_000);
            long received = stamp + random.nextLong(random.nextInt(10) == 0 ? 1_000_000 : 100_000);
            boolean isStamped = random.nextInt(5) > 0;
            times.add(new Times(sent, sent + random.nextInt(50_000), left, isStamped ? stamp : 0, received));
        }
        Cause[] kinds = {STALL, RUN_QUEUE, Cause.GARBAGE_COLLECTION, RETRANSMISSION, Cause.WIRE_OR_WAKE_UP};
        for (int i = 0; i < 2_000; i++) {
            long start = random.nextLong(500 * INTERVAL_NS);
            (random.nextBoolean() ? fixture.senderEvents : fixture.receiverEvents)
                    .add(event(kinds[random.nextInt(kinds.length)], start, start + 1 + random.nextLong(60_000)));
        }
        for (String transport : List.of("udp", "tcp")) {
            Path path = fixture.write(transport, times);
            for (PacketDelay series : List.of(PacketDelay.TRANSMIT_LAG, PacketDelay.LAG_FROM_SCHEDULE)) {
                assertOfLedger(path, series);
            }
        }
    }

    private static void assertOfLedger(Path path, PacketDelay series) throws Exception {
        try (JoinedRun run = JoinedRun.open(path)) {
            double medianNs = SeriesStatistics.of(consumer -> series.forEach(run, consumer))
                    .medianNs();
            Attribution.TailScan scan = LedgerFixture.scan(run, series);
            for (long i = 0; i < run.received(); i++) {
                if (!scan.advance(i)) {
                    continue;
                }
                Ledger ledger = scan.ledger();
                List<Part> parts = ledger.parts().parts();
                Excess excess = scan.excess();
                double sumNs =
                        excess.byCause().values().stream().mapToDouble(ns -> ns).sum();
                assertThat(excess.byCause().values()).allMatch(ns -> ns > 0);
                assertThat(sumNs + excess.unexplainedNs()).isCloseTo(ledger.lagNs() - medianNs, within(1.0));
                Set<Cause> named = new TreeSet<>();
                parts.stream()
                        .map(Part::cause)
                        .filter(cause -> cause != null)
                        .forEach(cause -> named.add(cause.cause()));
                boolean hasQueue = named.contains(Cause.EARLIER_PACKETS) || named.contains(Cause.LATE_SEND);
                assertThat(excess.byCause().keySet())
                        .allMatch(cause -> named.contains(cause.cause())
                                || (hasQueue && !cause.cause().isOfKernel()));
            }
        }
    }
}
