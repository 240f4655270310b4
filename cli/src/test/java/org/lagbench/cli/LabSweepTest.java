package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.lab.LabRecord;
import org.lagbench.core.lab.Station;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
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
            observe: nothing
            jvm: -XX:TieredStopAtLevel=1
            lab: {delay: 2ms, means: relay, name: long-lab, flows: [{rate: 100kbit}]}
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
        Namespaces.assumeTheyCanBeMade();
    }

    @Test
    void removesLabOfKilledSweep() throws Exception {
        try (LagbenchProcess sweep = sweep("killed", LONG)) {
            in("killed").awaitStamps();
            String lab = "sweep-" + sweep.pid();
            List<ProcessHandle> children = sweep.children();
            assertThat(Namespaces.of(lab)).hasSize(2);
            for (String program : List.of("lagbench-relay", "lagbench-flow")) {
                assertThat(children)
                        .anyMatch(child -> LagbenchProcess.commandLine(child).contains(program));
            }
            sweep.signal("KILL");
            sweep.exitCode();

            try (LagbenchProcess next = LagbenchProcess.run(directory, "lab", "show")) {
                assertThat(next.exitCode()).as(next.err()).isZero();
                assertThat(next.out()).doesNotContain(lab);
            }
            assertThat(Namespaces.of(lab)).isEmpty();
            await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    /** Ctrl-C and SIGTERM reach all processes of the sweep in any order: here first those of the network. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void isInterruptedWhenNetworkEndsFirst(String signal) throws Exception {
        try (LagbenchProcess sweep = sweep("interrupted", LONG)) {
            in("interrupted").awaitStamps();
            ProcessHandle sender = sweep.awaitChild("org.lagbench.sender.Sender");
            LagbenchProcess.signal(
                    sender, "STOP"); // so that it does not notice the end of its network before the signal
            for (String program : List.of("lagbench-relay", "lagbench-flow")) {
                ProcessHandle ofNetwork = sweep.awaitChild(program);
                LagbenchProcess.signal(ofNetwork, signal);
                LagbenchProcess.awaitEnd(ofNetwork);
            }
            LagbenchProcess.signal(sender, signal);
            LagbenchProcess.signal(sender, "CONT");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(sweep.err()).contains("interrupted,").doesNotContain("failed");
            assertThat(RunRecordFile.read(runs("interrupted").get(0)).state()).isEqualTo(RunRecord.State.INTERRUPTED);
        }
    }

    @Test
    void separatesNetworksOfConcurrentSweeps() throws Exception {
        try (LagbenchProcess first = sweep("first", LONG)) {
            in("first").awaitStamps();
            try (LagbenchProcess second = sweep(
                    "second",
                    """
                    name: short
                    observe: nothing
                    jvm: -XX:TieredStopAtLevel=1
                    lab: {delay: 1ms, means: relay, name: short-lab}
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
            LabRecord lab = Objects.requireNonNull(
                    RunRecordFile.read(runs("second").get(0)).lab());
            assertThat(lab.name()).isEqualTo("short-lab");
            // With packets of the other sweep, which sends all the time, there would be more.
            assertThat(count(lab, "relay there", "received")).isBetween(250L, 400L);
            assertThat(count(lab, "relay there", "lost")).isZero();

            assertThat(Namespaces.of("sweep-" + first.pid())).hasSize(2);
            first.signal("INT");
            assertThat(first.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(Namespaces.of("sweep-" + first.pid())).isEmpty();
        }
    }

    @Test
    void sendsStreamsInBothDirections() throws Exception {
        try (LagbenchProcess sweep = sweep(
                "streams",
                """
                observe: nothing
                jvm: -XX:TieredStopAtLevel=1
                lab: {means: relay, there: {delay: 40ms, rate: 100mbit}, back: {delay: 20ms, rate: 10mbit}}
                warm-up-packets: 50
                drain: 100ms
                streams:
                  - {name: up, transport: udp, packet-bytes: 100, pace: {mode: sleep, interval: 2ms}, packets: 200}
                  - name: down
                    transport: udp
                    packet-bytes: 992
                    pace: {mode: sleep, interval: 2ms}
                    packets: 200
                    direction: backward
                """)) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        List<Path> runs = runs("streams");
        assertThat(runs).hasSize(4); // each alone, and both concurrently
        Map<Direction, Long> delaysNs = Map.of(Direction.FORWARD, 40_000_000L, Direction.BACKWARD, 20_000_000L);
        for (Path run : runs) {
            RunRecord record = RunRecordFile.read(run);
            assertThat(record.state()).isEqualTo(RunRecord.State.COMPLETE);
            Direction direction = Objects.requireNonNull(record.stream()).direction();
            assertThat(leastLagNs(run)).isGreaterThanOrEqualTo(delaysNs.get(direction));
            LabRecord lab = Objects.requireNonNull(record.lab());
            boolean back = direction == Direction.BACKWARD;
            assertThat(lab.rateBitsPerS()).isEqualTo(back ? 10_000_000 : 100_000_000);
            assertThat(count(lab, back ? "relay back" : "relay there", "received"))
                    .isGreaterThanOrEqualTo(200);
        }
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

    private static long leastLagNs(Path run) throws Exception {
        try (CaptureReader sent = CaptureReader.open(run.resolve("sender.npy"));
                CaptureReader received = CaptureReader.open(run.resolve("receiver.npy"))) {
            long least = Long.MAX_VALUE;
            for (long i = 0; i < received.records(); i++) {
                long lagNs = received.value(i, received.field("received_ns"))
                        - sent.value(received.value(i, received.field("seq")), sent.field("sent_ns"));
                least = Math.min(least, lagNs);
            }
            assertThat(received.records()).isPositive();
            return least;
        }
    }

    private static long count(LabRecord lab, String place, String name) {
        return lab.stations().stream()
                .filter(station -> station.place().equals(place))
                .map(Station::counts)
                .map(counts -> counts.get(name))
                .findFirst()
                .orElseThrow();
    }
}
