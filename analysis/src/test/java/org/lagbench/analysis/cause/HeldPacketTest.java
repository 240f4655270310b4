package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lagbench.analysis.cause.LedgerFixture.event;
import static org.lagbench.core.cause.Cause.RUN_QUEUE;
import static org.lagbench.core.cause.Cause.WAITS_LOST;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.cause.LedgerFixture.Times;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Tail;

/** A library delivers each packet 50 µs after it was sent; the last one late, after a wait that is an event. */
class HeldPacketTest {
    private static final List<Times> TIMES = List.of(
            new Times(0, 300, 0, 4_000, 50_000),
            new Times(0, 300, 0, 5_000, 50_000),
            new Times(0, 300, 0, 4_000, 80_000));

    @TempDir
    Path directory;

    private static RunCauses held(JoinedRun run) throws Exception {
        RunCauses causes = RunCauses.open(run, Tail.DEFAULT);
        assertThat(causes).isNotNull();
        KernelArrivals arrivals = causes.arrivals();
        return new RunCauses(
                run,
                new KernelArrivals(
                        run,
                        arrivals.isStream(),
                        arrivals.areShared(),
                        arrivals.hasNetwork(),
                        true,
                        arrivals.cycles(),
                        arrivals.departures()),
                causes.sender(),
                causes.receiver(),
                causes.drops(),
                causes.tail(),
                causes.isSenderComplete(),
                causes.isReceiverComplete(),
                causes.isSameClock(),
                causes.clockBoundNs());
    }

    private static Map<String, Long> sums(Parts parts) {
        Map<String, Long> sums = new TreeMap<>();
        parts.parts()
                .forEach(part -> sums.merge(
                        (part.cause() == null ? "unexplained" : part.cause().text()) + " "
                                + part.kind().text(),
                        part.ns(),
                        Long::sum));
        return sums;
    }

    @Test
    void isInTheLibraryUntilTheShortestLagIsOver() throws Exception {
        LedgerFixture fixture = new LedgerFixture(directory);
        long lastNs = 2 * LedgerFixture.INTERVAL_NS;
        fixture.receiverEvents.add(event(RUN_QUEUE, lastNs + 10_000, lastNs + 20_000)); // delays nothing
        fixture.receiverMetadata.put("waitsLost", 1);
        fixture.receiverEvents.add(event(WAITS_LOST, lastNs + 30_000, lastNs + 40_000)); // hides nothing
        fixture.receiverEvents.add(event(RUN_QUEUE, lastNs + 60_000, lastNs + 75_000));
        try (JoinedRun run = JoinedRun.open(fixture.write("udp", TIMES))) {
            TailScan scan = held(run).attribution(PacketDelay.TRANSMIT_LAG).scan();
            for (int arrival = 0; arrival < TIMES.size(); arrival++) {
                scan.advance(arrival);
            }
            assertThat(sums(scan.ledger().parts()))
                    .isEqualTo(Map.of(
                            "sender.send-call bound", 300L,
                            "path.before-receiver bound", 3_700L,
                            "receiver.library bound", 46_000L,
                            "receiver.run-queue event", 15_000L,
                            "receiver.receiver-kernel stamp", 15_000L));
            Excess excess = scan.excess();
            Map<String, Double> parts = new TreeMap<>();
            excess.byCause().forEach((cause, ns) -> parts.put(cause.text(), ns));
            assertThat(parts.get("receiver.run-queue")).isCloseTo(15_000, within(400.0));
            assertThat(parts.get("receiver.receiver-kernel")).isCloseTo(15_000, within(400.0));
        }
    }

    /** Three packets are due while the receiver waits, and delivered together after it. */
    @Test
    void isBehindEarlierPacketsOnlyWhenDue() throws Exception {
        LedgerFixture fixture = new LedgerFixture(directory);
        List<Times> times = List.of(
                new Times(0, 300, 0, 4_000, 150_000),
                new Times(0, 300, 0, 4_000, 150_000),
                new Times(0, 300, 0, 4_000, 260_000),
                new Times(0, 300, 0, 4_000, 170_000));
        try (JoinedRun run = JoinedRun.open(fixture.write("udp", times))) {
            TailScan scan = held(run).attribution(PacketDelay.TRANSMIT_LAG).scan();
            for (int arrival = 0; arrival < times.size(); arrival++) {
                scan.advance(arrival);
            }
            assertThat(sums(scan.ledger().parts()))
                    .isEqualTo(Map.of(
                            "sender.send-call bound", 300L,
                            "path.before-receiver bound", 3_700L,
                            "receiver.library bound", 146_000L,
                            "receiver.earlier-packets stamp", 10_000L,
                            "receiver.receiver-kernel stamp", 10_000L));
        }
    }
}
