package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A process that is stopped in mid-run, at a time that is known here, is what the tail is put down to. */
class CausesTest {
    private static final int PACKETS = 2_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String EXPERIMENT =
            """
            name: stopped
            transports: [udp]
            packet-bytes: 100
            packets: 2000
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            drain: 100ms
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @ParameterizedTest
    @CsvSource({"org.lagbench.receiver.Receiver, receiver, lag", "org.lagbench.sender.Sender, sender, lagFromSchedule"})
    void aStoppedProcessIsTheCauseOfWhatItDelayed(String mainClass, String side, String tail) throws Exception {
        Path experiment = Files.writeString(directory.resolve("experiment.yaml"), EXPERIMENT);
        try (LagbenchProcess sweep = LagbenchProcess.start(directory, "sweep", experiment.toString(), "--quiet")) {
            ProcessHandle process = sweep.awaitChild(mainClass);
            await().atMost(PATIENCE).until(() -> sentPackets() > PACKETS / 4);
            long[] stop = stop(process);
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            long delayed = certainlyDelayed(tail, stop[0], stop[1]);
            assumeTrue(delayed > 0, "the machine delayed other packets by more than the stop did");
            assertThat(stalls(tail, side)).isGreaterThanOrEqualTo((delayed * 95 + 99) / 100);
        }
    }

    /** Packets of the tail that should have gone, or come, while the process was stopped, and whose lag is mostly that. */
    private long certainlyDelayed(String tail, long stoppedNs, long stillStoppedNs) throws Exception {
        Path run = run();
        try (CaptureReader sent = CaptureReader.open(run.resolve("sender.npy"));
                CaptureReader received = CaptureReader.open(run.resolve("receiver.npy"))) {
            int departure = sent.field(tail.equals("lag") ? "sent_ns" : "scheduled_ns");
            int count = Math.toIntExact(received.records());
            long[] departures = new long[count];
            long[] lags = new long[count];
            for (int i = 0; i < count; i++) {
                departures[i] = sent.value(received.value(i, received.field("seq")), departure);
                lags[i] = received.value(i, received.field("received_ns")) - departures[i];
            }
            long[] sorted = lags.clone();
            Arrays.sort(sorted);
            long limitNs = sorted[Math.min(count - 1, count * 99 / 100)];
            long delayed = 0;
            for (int i = 0; i < count; i++) {
                boolean within = departures[i] >= stoppedNs && departures[i] < stillStoppedNs;
                if (within && lags[i] > limitNs && (stillStoppedNs - departures[i]) * 4 >= lags[i] * 3) {
                    delayed++;
                }
            }
            return delayed;
        }
    }

    private long stalls(String tail, String side) throws IOException {
        JsonNode summary =
                JsonMapper.shared().readTree(Files.readString(session().resolve("summary.json")));
        JsonNode byCause = summary.at("/points/0/pooled/causes/" + tail + "/byCause");
        for (JsonNode cause : byCause) {
            if (cause.get("cause").asString().equals("stall")
                    && cause.get("side").asString().equals(side)) {
                return cause.get("packets").asLong();
            }
        }
        return 0;
    }

    private long sentPackets() throws IOException {
        if (!Files.exists(directory.resolve("results"))) {
            return 0;
        }
        try (CaptureReader sent = CaptureReader.open(run().resolve("sender.npy"))) {
            return sent.records();
        } catch (LagbenchException e) {
            return 0; // not made yet
        }
    }

    private Path session() throws IOException {
        try (Stream<Path> sessions = Files.list(directory.resolve("results"))) {
            return sessions.findFirst().orElse(directory);
        }
    }

    private Path run() throws IOException {
        Path runs = session().resolve("runs");
        if (!Files.isDirectory(runs)) {
            return runs;
        }
        try (Stream<Path> all = Files.list(runs)) {
            return all.filter(Files::isDirectory).findFirst().orElse(runs);
        }
    }

    /** Stops a process for a while: from when to when it was certainly stopped, read between the signals. */
    private static long[] stop(ProcessHandle process) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder(
                        "bash",
                        "-c",
                        "trap 'kill -CONT $0' EXIT; kill -STOP $0; echo $EPOCHREALTIME; sleep 0.2; echo $EPOCHREALTIME",
                        Long.toString(process.pid()))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = shell.inputReader()) {
            List<String> lines = said.lines().toList();
            assertThat(shell.waitFor()).as(lines::toString).isZero();
            assertThat(lines).hasSize(2);
            return lines.stream()
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_000)
                    .toArray();
        }
    }
}
