package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.cause.Ledger;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.analysis.transfer.TransferGroups;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.run.StreamRole.Direction;

/** Makes sweeps over labs. */
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class LabSweepTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** One run of 40 s with a competing flow, for tests that interrupt it. */
    private static final String LONG =
            """
            name: long
            observe: none
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            lab: {delay: 2ms, backend: relay, name: long-lab, flows: [{rate: 100kbit}]}
            transports: [udp]
            packet-bytes: 100
            packets: 40000
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void onlyRootMakesNamespaces() throws Exception {
        Namespaces.assumeCreatable();
    }

    @Test
    void makesLabAgainAfterKilledFlow() throws Exception {
        String twoRuns = LONG.replace("packets: 40000", "packets: 5000").replace("bytes: 100", "bytes: [100, 101]");
        try (LagbenchProcess sweep = sweep("flow-killed", twoRuns)) {
            in("flow-killed").awaitStamps();
            LagbenchProcess.signal(sweep.awaitChild("lagbench-flow"), "KILL");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(sweep.err()).contains("A competing flow failed", "1 of 2 runs are complete");
        }
    }

    /** Ctrl-C and SIGTERM reach all processes of the sweep in any order: here the processes of the network first. */
    @Test
    void reportsInterruptionThoughNetworkEndsFirst() throws Exception {
        Map<String, String> signals = Map.of("lagbench-relay", "INT", "lagbench-flow", "TERM");
        try (LagbenchProcess sweep = sweep("interrupted", LONG)) {
            in("interrupted").awaitStamps();
            ProcessHandle sender = sweep.awaitChild("org.lagbench.sender.Sender");
            LagbenchProcess.signal(
                    sender, "STOP"); // the sender must not notice the end of its network before the signal
            for (Map.Entry<String, String> program : signals.entrySet()) {
                ProcessHandle ofNetwork = sweep.awaitChild(program.getKey());
                LagbenchProcess.signal(ofNetwork, program.getValue());
                LagbenchProcess.awaitEnd(ofNetwork);
            }
            LagbenchProcess.signal(sender, "INT");
            LagbenchProcess.signal(sender, "CONT");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(sweep.err()).contains("interrupted,").doesNotContain("failed");
            assertThat(RunRecord.read(runs("interrupted").get(0)).state()).isEqualTo(RunRecord.State.INTERRUPTED);
            assertThat(Namespaces.of("sweep-" + sweep.pid())).isEmpty();
        }
    }

    @Test
    void separatesConcurrentSweepsAndRemovesNetworkOfKilledOne() throws Exception {
        try (LagbenchProcess first = sweep("first", LONG)) {
            in("first").awaitStamps();
            try (LagbenchProcess second = sweep(
                    "second",
                    """
                    name: short
                    observe: none
                    jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                    lab: {delay: 1ms, backend: relay, name: short-lab}
                    transports: [udp]
                    packet-bytes: 100
                    packets: 200
                    warm-up-packets: 50
                    pace: {mode: sleep, interval: 1ms}
                    drain: 100ms
                    """)) {
                assertThat(second.exitCode()).as(second.err()).isZero();
                assertThat(Namespaces.of("sweep-" + second.pid())).isEmpty();
            }
            LabRecord lab =
                    Objects.requireNonNull(RunRecord.read(runs("second").get(0)).lab());
            assertThat(lab.name()).isEqualTo("short-lab");
            // With packets of the other sweep, which sends all the time, there would be more packets.
            assertThat(count(lab, "relay forward", "received")).isBetween(250L, 400L);
            assertThat(count(lab, "relay forward", "lost")).isZero();

            assertRemovedAfterKill(first);
        }
    }

    private static void assertRemovedAfterKill(LagbenchProcess sweep) throws Exception {
        String lab = "sweep-" + sweep.pid();
        List<ProcessHandle> children = sweep.children();
        assertThat(Namespaces.of(lab)).hasSize(2);
        for (String program : List.of("lagbench-relay", "lagbench-flow")) {
            assertThat(children)
                    .anyMatch(child -> LagbenchProcess.commandLine(child).contains(program));
        }
        sweep.signal("KILL");
        sweep.exitCode();

        CommandResult next = CommandResult.of("lab", "show");
        assertThat(next.exitCode()).as(next.err()).isZero();
        assertThat(next.out()).doesNotContain(lab);
        assertThat(Namespaces.of(lab)).isEmpty();
        await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void sendsStreamsOfNativeEngineInBothDirectionsQuietly() throws Exception {
        Files.createDirectory(directory.resolve("streams"));
        String streams =
                """
                observe: none
                jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                engine: c
                lab: {backend: relay, forward: {delay: 40ms, rate: 100mbit}, reverse: {delay: 20ms, rate: 10mbit}}
                warm-up-packets: 50
                drain: 2s
                streams:
                  - {name: up, transport: udp, packet-bytes: 100, pace: {mode: sleep, interval: 2ms}, packets: 200}
                  - name: down
                    transport: tcp
                    packet-bytes: 992
                    pace: {mode: sleep, interval: 2ms}
                    packets: 200
                    direction: backward
                """;
        try (LagbenchProcess sweep = in("streams").start(streams, "--no-report", "--quiet")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).isEmpty();
            assertThat(sweep.err()).isEmpty();
        }
        List<Path> runs = runs("streams");
        assertThat(runs).hasSize(4); // each stream alone, and both concurrently
        Map<Direction, Long> delaysNs = Map.of(Direction.FORWARD, 40_000_000L, Direction.BACKWARD, 20_000_000L);
        for (Path run : runs) {
            RunRecord record = RunRecord.read(run);
            assertThat(record.state()).isEqualTo(RunRecord.State.COMPLETE);
            assertThat(record.point().program().engine()).isEqualTo("c");
            assertThat(record.counts().distinct()).isEqualTo(200);
            Direction direction = Objects.requireNonNull(record.run().stream()).direction();
            assertThat(minLagNs(run)).isGreaterThanOrEqualTo(delaysNs.get(direction));
            LabRecord lab = Objects.requireNonNull(record.lab());
            boolean back = direction == Direction.BACKWARD;
            assertThat(lab.rateBitsPerS()).isEqualTo(back ? 10_000_000 : 100_000_000);
            assertThat(count(lab, back ? "relay reverse" : "relay forward", "received"))
                    .isGreaterThanOrEqualTo(direction == Direction.BACKWARD ? 1 : 200); // TCP joins packets to segments
        }
    }

    /** Bursts wait for a slow link. However busy the machine is, a packet is at the receiver only after its stamp. */
    @Test
    @Tag("merge")
    void blamesReceiverOnlyFromTheKernelsStampOn() throws Exception {
        try (LagbenchProcess sweep = sweep(
                "bursts",
                """
                engine: [java, c]
                transports: [udp, tcp]
                observe: events
                jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                lab: {delay: 1ms, rate: 10mbit, backend: relay}
                packet-bytes: 992
                packets: 240
                warm-up-packets: 50
                pace: {mode: sleep, interval: 20ms, burst: 12}
                """)) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        assertThat(runs("bursts")).hasSize(4).allSatisfy(LabSweepTest::assertReceiverIsBlamedOnlyFromStampOn);
    }

    private static void assertReceiverIsBlamedOnlyFromStampOn(Path recorded) throws LagbenchException {
        try (JoinedRun run = JoinedRun.open(recorded)) {
            Map<Long, Long> arrivals = new HashMap<>();
            run.forEachFirstCopy((arrival, packet) -> arrivals.put(packet, arrival));
            assertThat(run.hasKernelStamps()).isTrue();
            assertThat(arrivals.values())
                    .anySatisfy(arrival -> assertThat(run.kernelNs(arrival)).isPositive());
            List<Ledger> slowest = Ledger.slowest(run, 12);
            assertThat(slowest).isNotEmpty().allSatisfy(ledger -> {
                long arrival = Objects.requireNonNull(arrivals.get(ledger.packet()));
                long atReceiverNs = ledger.parts().byCause().entrySet().stream()
                        .filter(part -> part.getKey().side() == Role.RECEIVER)
                        .mapToLong(Map.Entry::getValue)
                        .sum();
                assertThat(atReceiverNs).isLessThanOrEqualTo(run.receivedNs(arrival) - run.kernelNs(arrival));
                long onTheWayNs = ledger.parts().byCause().entrySet().stream()
                        .filter(part -> part.getKey().side() == Role.PATH)
                        .mapToLong(Map.Entry::getValue)
                        .sum();
                assertThat(onTheWayNs + ledger.parts().unexplainedNs()).isGreaterThan(1_000_000); // the lab's delay
            });
        }
    }

    /**
     * 64 KiB are 46 segments of 1448 bytes. With an initial window of 5, slow start sends 5, 10, 20 and 11 segments,
     * one round trip apart. The reply arrives four round trips after the start. The receiver gets the last bytes three
     * round trips after the first ones.
     */
    @Test
    void timesSlowStartOfTransfers() throws Exception {
        try (LagbenchProcess sweep = sweep(
                "transfers",
                """
                observe: none
                jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                lab: {delay: 20ms, rate: 100mbit, backend: relay, initial-window: 5}
                transports: [tcp]
                tcp: {congestion-control: reno}
                traffic: transfer
                transfers: 6
                warm-up-packets: 8
                """)) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).contains("6 of 6 transfers never left", "still in slow start");
        }
        Path run = runs("transfers").get(0);
        assertThat(RunRecord.read(run).sender().metadata().get("initialWindowSegments"))
                .isEqualTo(5);
        TransferMetrics figures = Objects.requireNonNull(
                Summaries.of(Session.open(in("transfers").session()), new SummaryOptions(false, false))
                        .points()
                        .get(0)
                        .pooled()
                        .get(TransferGroups.TRANSFERS));
        double bits = 8 * 65_536;
        assertThat(figures.transfers()).isEqualTo(6);
        assertThat(figures.medianLatencyNs()).isGreaterThanOrEqualTo(20e6);
        assertThat(figures.elapsedBitsPerS().most()).isBetween(1e5, bits / 0.160);
        assertThat(figures.latencySubtractedBitsPerS().most())
                .isBetween(figures.elapsedBitsPerS().most(), bits / 0.140);
        // three round trips of 40 ms; on a busy machine fewer if the first read is late, which makes a transfer look
        // fast
        assertThat(figures.receiverBitsPerS().least()).isBetween(1e5, bits / 0.080);
        assertThat(Objects.requireNonNull(figures.connection()).inSlowStart()).isEqualTo(6);
        assertThat(figures.connection().medianCwndSegments()).isGreaterThanOrEqualTo(40);
        assertThat(figures.connection().verdicts().get(0).verdict())
                .as("%s", figures)
                .isEqualTo(TransferLimit.SLOW_START);
    }

    private LagbenchProcess sweep(String name, String experiment) throws IOException {
        Files.createDirectory(directory.resolve(name));
        return in(name).start(experiment, "--no-report");
    }

    private Sweeps in(String name) {
        return new Sweeps(directory.resolve(name));
    }

    private List<Path> runs(String name) {
        return Sweeps.runs(in(name).session());
    }

    private static long minLagNs(Path run) throws Exception {
        try (CaptureReader sent = CaptureReader.open(run.resolve("sender.npy"));
                CaptureReader received = CaptureReader.open(run.resolve("receiver.npy"))) {
            long min = Long.MAX_VALUE;
            for (long i = 0; i < received.records(); i++) {
                long lagNs = received.value(i, received.field("received_ns"))
                        - sent.value(received.value(i, received.field("seq")), sent.field("sent_ns"));
                min = Math.min(min, lagNs);
            }
            assertThat(received.records()).isPositive();
            return min;
        }
    }

    private static long count(LabRecord lab, String place, String name) {
        return lab.stations().stream()
                .filter(station -> station.place().equals(place))
                .map(LabRecord.Station::counts)
                .map(counts -> counts.get(name))
                .findFirst()
                .orElseThrow();
    }
}
