package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;
import static org.lagbench.analysis.cause.LedgerFixture.INTERVAL_NS;
import static org.lagbench.analysis.cause.LedgerFixture.event;
import static org.lagbench.analysis.cause.LedgerFixture.parts;
import static org.lagbench.analysis.cause.LedgerFixture.scan;
import static org.lagbench.core.cause.Cause.GARBAGE_COLLECTION;
import static org.lagbench.core.cause.Cause.RECEIVE_WINDOW;
import static org.lagbench.core.cause.Cause.RETRANSMISSION;
import static org.lagbench.core.cause.Cause.RUN_QUEUE;
import static org.lagbench.core.cause.Cause.STALL;
import static org.lagbench.core.cause.Cause.WAITS_LOST;
import static org.lagbench.core.cause.Cause.WIRE_OR_WAKE_UP;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.cause.LedgerFixture.Times;
import org.lagbench.analysis.cause.Parts.Kind;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.cause.Cause;

/** The ledger of one packet whose times are known, and of packets with random times and events. */
class LedgerTest {
    @TempDir
    Path directory;

    private LedgerFixture fixture;

    @BeforeEach
    void recordsAll() {
        fixture = new LedgerFixture(directory);
    }

    @Test
    void dividesLagByAllStampsAndEvents() throws Exception {
        fixture.hasDriverStamps = true;
        fixture.senderEvents.add(event(GARBAGE_COLLECTION, 100, 400));
        fixture.senderEvents.add(event(RUN_QUEUE, 1_100, 1_200));
        fixture.receiverEvents.add(event(STALL, 2_000, 5_000)); // 3,000 ns before the packet is there
        Path run = fixture.write("udp", List.of(new Times(1_000, 1_300, 1_500, 4_000, 6_000)));
        assertThat(parts(run, PacketDelay.LAG_FROM_SCHEDULE))
                .isEqualTo(Map.of(
                        "sender.garbage-collection event", 300L,
                        "sender.late-send stamp", 700L,
                        "sender.run-queue event", 100L,
                        "sender.send-call stamp", 200L,
                        "sender.sender-queue stamp", 200L,
                        "path.network stamp", 2_500L,
                        "receiver.stall event", 1_000L,
                        "receiver.receiver-kernel stamp", 1_000L));
    }

    /** Without a source of events, the time in the hosts' calls is not explained. */
    @Test
    void dividesLagByStampsAlone() throws Exception {
        fixture.hasEvents = false;
        fixture.senderMetadata.keySet().retainAll(Set.of("remoteAddress", KernelCapture.FIRST_KEY_NAME));
        fixture.receiverMetadata.clear();
        Times usual = new Times(0, 300, 500, 3_000, 4_000);
        Path run = fixture.write("udp", List.of(usual, usual));
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG))
                .isEqualTo(Map.of("unexplained bound", 300L + 1_000, "path.before-receiver bound", 2_700L));
        fixture.hasDriverStamps = true;
        run = fixture.write("udp", List.of(usual, usual));
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG))
                .isEqualTo(Map.of(
                        "unexplained bound", 300L + 1_000,
                        "sender.sender-queue stamp", 200L,
                        "path.network stamp", 2_500L));
    }

    /** The thread to which the call handed the packet over stops for 500 µs. The network takes 100 µs. */
    @ParameterizedTest
    @CsvSource({"false, true", "true, true", "false, false", "true, false"})
    void placesStopsOfTheProcessAtTheSenderWhereItHasThePacket(boolean hasLeft, boolean isHandedOver) throws Exception {
        fixture.receiverMetadata.put("kernelStamps", "the observer in the kernel");
        if (isHandedOver) {
            fixture.senderMetadata.put("packetsHandedOver", true);
        }
        fixture.hasDepartures = hasLeft;
        fixture.senderMetadata.put("departureStamps", "the observer in the kernel");
        long lastNs = 2 * INTERVAL_NS;
        fixture.senderEvents.add(event(GARBAGE_COLLECTION, lastNs + 5_000, lastNs + 505_000));
        fixture.senderEvents.add(event(GARBAGE_COLLECTION, lastNs + 550_000, lastNs + 560_000)); // on the network
        Times usual = new Times(0, 300, 1_000, 101_000, 102_000);
        Path run = fixture.write("tcp", List.of(usual, usual, new Times(0, 300, 510_000, 610_000, 611_000)));

        Map<String, Long> parts = parts(run, PacketDelay.TRANSMIT_LAG, 2);
        if (isHandedOver) {
            assertThat(parts).containsEntry("sender.garbage-collection event", 500_000L);
        } else {
            assertThat(parts).doesNotContainKey("sender.garbage-collection event");
        }
        assertThat(parts.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(611_000);
    }

    /** The socket's stamps of a stream are those of a segment's end, those of the observer each packet's own. */
    @Test
    void dividesLagOfAStreamByTheObserversDepartures() throws Exception {
        fixture.receiverMetadata.put("kernelStamps", "the observer in the kernel");
        fixture.hasDriverStamps = true;
        List<Times> times = List.of(new Times(0, 300, 1_500, 4_000, 6_000));
        Path run = fixture.write("tcp", times);
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG)).containsEntry("sender.sender-queue bound", 1_200L);
        fixture.hasDepartures = true;
        run = fixture.write("tcp", times);
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG))
                .isEqualTo(Map.of(
                        "sender.send-call stamp", 300L,
                        "sender.sender-queue stamp", 1_200L,
                        "path.network stamp", 2_500L,
                        "receiver.receiver-kernel stamp", 2_000L));
    }

    /** The receiver reads nothing for a time, so that the packet cannot leave. */
    @ParameterizedTest
    @CsvSource({"true, 200, 700", "false, 0, 1000"})
    void namesTheFullWindowThatKeptThePacketAtTheSender(boolean hasLeft, long queuedNs, long windowNs)
            throws Exception {
        fixture.receiverMetadata.put("kernelStamps", "the observer in the kernel");
        fixture.hasDepartures = hasLeft;
        fixture.senderEvents.add(event(RECEIVE_WINDOW, 500, 1_500));
        Path run = fixture.write("tcp", List.of(new Times(0, 300, 1_200, 4_000, 6_000)));
        Map<String, Long> parts = parts(run, PacketDelay.TRANSMIT_LAG);
        assertThat(parts).containsEntry("sender.receive-window event", windowNs);
        assertThat(parts.getOrDefault("sender.sender-queue stamp", 0L)).isEqualTo(queuedNs);
    }

    /** A packet that the driver gets in its send call. */
    @Test
    void endsTheSendCallWhenThePacketLeft() throws Exception {
        fixture.hasDepartures = true;
        Path run = fixture.write("udp", List.of(new Times(0, 900, 500, 700, 6_000)));
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG))
                .isEqualTo(Map.of(
                        "sender.send-call stamp", 500L,
                        "path.network stamp", 200L,
                        "receiver.receiver-kernel stamp", 5_300L));
    }

    @Test
    void leavesCallsUnexplainedIfASourceWasOff() throws Exception {
        fixture.senderMetadata.put("waits", "samples, without the programs that ran instead: no BTF");
        fixture.receiverMetadata.put("jvmEvents", "the JVM's log cannot be read: closed");
        Path run = fixture.write("udp", List.of(new Times(0, 300, 0, 4_000, 6_000)));
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG))
                .isEqualTo(Map.of("path.before-receiver bound", 3_700L, "unexplained bound", 2_300L));
    }

    @Test
    void leavesACallUnexplainedWhereWaitsWereLost() throws Exception {
        fixture.receiverMetadata.put("waitsLost", 1);
        fixture.receiverEvents.add(event(WAITS_LOST, 5_000, 16_000_000));
        Path run = fixture.write("udp", List.of(new Times(0, 300, 0, 4_000, 6_000)));
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG))
                .containsEntry("unexplained bound", 2_000L)
                .containsEntry("sender.send-call bound", 300L);
        fixture.receiverEvents.clear();
        fixture.receiverEvents.add(event(WAITS_LOST, 6_000, 88_000_000));
        Path later = fixture.write("udp", List.of(new Times(0, 300, 0, 4_000, 6_000)));
        assertThat(parts(later, PacketDelay.TRANSMIT_LAG)).containsEntry("receiver.receiver-kernel stamp", 2_000L);
    }

    @Test
    void keepsTheOffsetOfTheClocksInThePath() throws Exception {
        fixture.hasDriverStamps = true;
        fixture.receiverEvents.add(event(RUN_QUEUE, -9_000, -7_000));
        Path run = fixture.write("udp", List.of(new Times(0, 300, 500, -8_000, -6_500)));
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG))
                .isEqualTo(Map.of(
                        "sender.send-call stamp", 300L,
                        "sender.sender-queue stamp", 200L,
                        "path.network bound", -8_500L,
                        "receiver.run-queue event", 1_000L,
                        "receiver.receiver-kernel stamp", 500L));
    }

    @Test
    void countsTheWaitBehindEarlierPackets() throws Exception {
        Path run = fixture.write(
                "udp", List.of(new Times(0, 300, 0, 4_000, 209_000), new Times(0, 300, 0, 4_000, 110_000)));
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG, 1))
                .isEqualTo(Map.of(
                        "sender.send-call bound", 300L,
                        "path.before-receiver bound", 3_700L,
                        "receiver.earlier-packets stamp", 105_000L,
                        "receiver.receiver-kernel stamp", 1_000L));
    }

    /** The packets were received together. A stamp that they share leaves open when the first arrived. */
    @Test
    void explainsPacketsOfOneReadByTheirOwnStamps() throws Exception {
        List<Times> times = List.of(new Times(0, 300, 0, 4_000, 206_000), new Times(0, 300, 0, 105_000, 106_000));
        Times shared = new Times(0, 300, 0, 205_000, 206_000);
        Path run = fixture.write("tcp", List.of(shared, times.get(1)));
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG)).containsEntry("unexplained bound", 204_700L);
        fixture.receiverMetadata.put("kernelStamps", "the observer in the kernel");
        run = fixture.write("tcp", times);
        assertThat(parts(run, PacketDelay.TRANSMIT_LAG))
                .isEqualTo(Map.of(
                        "sender.send-call bound", 300L,
                        "path.before-receiver bound", 3_700L,
                        "receiver.receiver-kernel stamp", 202_000L));
    }

    /** Stamps, calls and events at random times, some of them by clocks that differ. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void sumsAreExactAndOnlyThePathIsNegative(long seed) throws Exception {
        Random random = new Random(seed);
        fixture.hasDriverStamps = random.nextBoolean();
        fixture.hasDepartures = seed > 3;
        long aheadNs = seed % 2 == 0 ? 0 : random.nextLong(-100_000, 100_000);
        fixture.senderMetadata.put("remoteAddress", seed % 3 == 0 ? "127.0.0.1:4711" : "192.0.2.1:4711");
        List<Times> times = new ArrayList<>();
        for (int packet = 0; packet < 300; packet++) {
            long sent = random.nextInt(30_000);
            long returned = sent + random.nextInt(50_000);
            long stamp = sent + random.nextInt(150_000);
            long received = stamp + random.nextInt(300_000) + aheadNs;
            long left = Math.max(sent, stamp - random.nextInt(40_000));
            boolean isStamped = random.nextInt(5) > 0;
            times.add(new Times(sent, returned, left, isStamped ? stamp + aheadNs : 0, received));
        }
        Cause[] causes = {STALL, RUN_QUEUE, GARBAGE_COLLECTION, RETRANSMISSION, WIRE_OR_WAKE_UP, WAITS_LOST};
        for (int i = 0; i < 2_000; i++) {
            long start = random.nextLong(300 * INTERVAL_NS);
            long ns = 1 + random.nextLong(60_000);
            long took = random.nextBoolean() ? ns : 1 + random.nextLong(ns);
            Cause cause = causes[random.nextInt(random.nextInt(20) == 0 ? 6 : 5)];
            (random.nextBoolean() ? fixture.senderEvents : fixture.receiverEvents)
                    .add(new long[] {cause.code(), EPOCH_NS + start, EPOCH_NS + start + ns, took});
        }
        for (String transport : List.of("udp", "tcp")) {
            Path path = fixture.write(transport, times);
            for (PacketDelay series : List.of(PacketDelay.TRANSMIT_LAG, PacketDelay.LAG_FROM_SCHEDULE)) {
                assertSums(path, series);
            }
        }
    }

    /** The time after the send call may be in the sender's queue, on the way or at the receiver without a stamp. */
    @Test
    void whatIsNotExplainedHasSideIfStampsEncloseIt() throws Exception {
        fixture.receiverMetadata.put("causeEventsForgotten", 1);
        Times times = new Times(0, 600, 900, 4_000, 9_000);
        assertThat(text(fixture.write("udp", List.of(times)), Map.of(Role.RECEIVER, 5_000L), Role.RECEIVER))
                .contains("not explained at the receiver 5.0 µs");

        fixture.senderMetadata.put("causeEventsForgotten", 1);
        assertThat(text(fixture.write("udp", List.of(times)), Map.of(Role.SENDER, 600L, Role.RECEIVER, 5_000L), null))
                .contains("not explained at the receiver 5.0 µs")
                .contains("not explained at the sender 0.6 µs");

        fixture.senderMetadata.put("causeEventsForgotten", 0);
        assertThat(text(fixture.write("udp", List.of(new Times(0, 600, 900, 0, 9_000))), Map.of(), null))
                .contains("not explained 8.4 µs");
    }

    private static String text(Path path, Map<Role, Long> sidesNs, @Nullable Role side) throws Exception {
        try (JoinedRun run = JoinedRun.open(path)) {
            Attribution.TailScan scan = scan(run, PacketDelay.TRANSMIT_LAG);
            scan.advance(0);
            LedgerSum sum = new LedgerSum();
            sum.add(scan.divide());
            assertThat(sum.total().notExplainedNs()).isEqualTo(sidesNs);
            assertThat(sum.total().notExplainedSide()).isEqualTo(side);
            return scan.ledger().text();
        }
    }

    private static void assertSums(Path path, PacketDelay series) throws Exception {
        try (JoinedRun run = JoinedRun.open(path)) {
            Attribution.TailScan scan = scan(run, series);
            LedgerSum sum = new LedgerSum();
            LedgerSum ofDivisions = new LedgerSum();
            for (long i = 0; i < run.received(); i++) {
                scan.advance(i);
                Ledger ledger = scan.ledger();
                sum.add(ledger);
                ofDivisions.add(scan.divide());
                long packet = run.packetOf(i);
                boolean isFromSchedule = series == PacketDelay.LAG_FROM_SCHEDULE;
                long departedNs = isFromSchedule ? run.scheduledNs(packet) : run.sentNs(packet);
                List<Part> parts = ledger.parts().parts();
                assertThat(parts.stream().mapToLong(Part::ns).sum()).isEqualTo(run.receivedNs(i) - departedNs);
                assertThat(parts)
                        .allMatch(part -> part.ns() > 0
                                || (part.cause() != null
                                        && part.cause().side() == Role.PATH
                                        && part.kind() == Kind.BOUND));
            }
            assertThat(ofDivisions.total()).isEqualTo(sum.total());
        }
    }
}
