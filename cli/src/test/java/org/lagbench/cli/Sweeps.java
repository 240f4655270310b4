package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Starts sweeps in the directory of a test, and reads their results. */
final class Sweeps {
    /** An experiment with so few packets that C2 takes longer than it saves. */
    static final String TINY =
            """
            name: tiny
            observe: none
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            transports: [tcp, udp]
            packet-bytes: 100
            packets: 200
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            drain: 2s
            """;

    /** One run of 40 s, for tests that interrupt it. */
    static final String LONG =
            """
            name: long
            observe: none
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            transports: [udp]
            packet-bytes: 100
            packets: 40000
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            """;

    private static final String NATIVE = "-Dlagbench.native=";
    private static final Path IEEE1394 = Path.of("../native1394/target/native/liblagbench1394.so");
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path directory;

    Sweeps(Path directory) {
        this.directory = directory;
    }

    LagbenchProcess start(String experiment, String... options) throws IOException {
        return start(List.of(), experiment, options);
    }

    LagbenchProcess start(List<String> jvmOptions, String experiment, String... options) throws IOException {
        if (jvmOptions.stream().noneMatch(option -> option.startsWith(NATIVE))) {
            assumeBuilt(experiment, options);
        }
        Files.writeString(directory.resolve("experiment.yaml"), experiment);
        return LagbenchProcess.startWith(
                jvmOptions,
                directory,
                Stream.concat(Stream.of("sweep", "experiment.yaml"), Stream.of(options))
                        .toArray(String[]::new));
    }

    /** Starts a sweep with other values of some keys, and without a report. */
    LagbenchProcess startSetting(String experiment, String... values) throws IOException {
        return startSetting(List.of(), experiment, values);
    }

    LagbenchProcess startSetting(List<String> jvmOptions, String experiment, String... values) throws IOException {
        return start(jvmOptions, experiment, settings(values));
    }

    /** Skips a test that sends over IEEE-1394 if the build had no libraw1394. */
    private static void assumeBuilt(String experiment, String... options) {
        assumeTrue(
                !(experiment + String.join(" ", options)).contains("ieee1394") || Files.exists(IEEE1394),
                "IEEE-1394 was not built: libraw1394-dev is missing");
    }

    /** Starts a sweep in this JVM. */
    LagbenchThread startHere(String experiment, String... options) throws IOException {
        assumeBuilt(experiment, options);
        Path file = Files.writeString(directory.resolve("experiment.yaml"), experiment);
        return LagbenchThread.start(
                directory,
                Stream.concat(
                                Stream.of(
                                        "sweep",
                                        file.toString(),
                                        "--output",
                                        directory.resolve("results").toString()),
                                Stream.of(options))
                        .toArray(String[]::new));
    }

    /** Starts a sweep in this JVM with other values of some keys, and without a report. */
    LagbenchThread startHereSetting(String experiment, String... values) throws IOException {
        return startHere(experiment, settings(values));
    }

    private static String[] settings(String... values) {
        return Stream.concat(Stream.of("--no-report"), Stream.of(values).flatMap(value -> Stream.of("--set", value)))
                .toArray(String[]::new);
    }

    /** Waits until the first run has stamps, and returns the session. */
    Path awaitStamps() {
        return awaitStamps(1);
    }

    /** Waits until the first run has this many stamps, and returns the session. */
    Path awaitStamps(long min) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(() -> stamps(runs(session()).get(0)) >= min);
        return session();
    }

    /** Returns how many packets the sender of a run has stamped. */
    static long stamps(Path run) throws IOException, LagbenchException {
        try (CaptureReader capture = CaptureReader.open(run.resolve(SenderCapture.FILE_NAME))) {
            return capture.records();
        }
    }

    Path session() {
        List<Path> sessions = list(directory.resolve("results"));
        assertThat(sessions).hasSize(1);
        return sessions.get(0);
    }

    static List<Path> runs(Path session) {
        return list(session.resolve("runs"));
    }

    static List<Path> complete(Path session) {
        return runs(session).stream()
                .filter(run -> Files.exists(run.resolve(RunRecord.FILE_NAME)))
                .filter(run -> {
                    try {
                        return RunRecord.read(run).state() == RunRecord.State.COMPLETE;
                    } catch (LagbenchException e) {
                        throw new AssertionError(e);
                    }
                })
                .toList();
    }

    private static List<Path> list(Path parent) {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static JsonNode json(String text) {
        return JsonMapper.builder().build().readTree(text);
    }
}
