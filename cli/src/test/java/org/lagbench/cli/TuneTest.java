package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunRecord;
import tools.jackson.databind.JsonNode;

/** Executes a small tuning run over loopback, from the file to the figures. */
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class TuneTest {
    private static final String TINY =
            """
            name: tiny
            observe: none
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            seed: 7
            transports: [udp]
            packet-bytes: 100
            packets: 100
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            drain: 100ms
            machine: {max-other-load: 100%}
            tune:
              objective: lag.median
              budget: 2 runs
              knobs:
                receive-buffer: [16KiB]
            """;

    private final Path directory;
    private final Sweeps sweeps;

    TuneTest(@TempDir Path directory) {
        this.directory = directory;
        this.sweeps = new Sweeps(directory);
    }

    /** The requirements are met, but so few runs prove none. */
    @Test
    void staysWithinBudgetRecommendsOnlyWhatIsProvenAndResumes() throws Exception {
        Path file = Files.writeString(directory.resolve("tiny.yaml"), TINY);
        String results = directory.resolve("results").toString();
        String require = "tune.require=[lag.q99 <= 10 s, receiveDelay.median >= 1 us]";
        try (LagbenchThread tune =
                LagbenchThread.run(directory, "tune", file.toString(), "--set", require, "--output", results)) {
            assertThat(tune.exitCode()).as(tune.err()).isEqualTo(ExitCode.UNDECIDED.code());
            assertThat(tune.out().replace("\n  ", " "))
                    .contains("no candidate is proven to meet lag.q99 <= 10 s and receiveDelay.median >= 1 us.");
            assertThat(tune.err()).contains("run 2 ").contains("system default: lag.median");
        }
        Path session = sweeps.session();
        assertThat(Sweeps.runs(session)).hasSize(2);
        JsonNode json = json(session);
        assertThat(json.get("decided").asBoolean()).isFalse();
        assertThat(json.get("candidates"))
                .hasSize(2)
                .allMatch(row -> row.get("lag_q99_us").asDouble() > 0);
        assertThat(json.get("constraints"))
                .extracting(JsonNode::asString)
                .containsExactly("lag.q99 <= 10 s", "receiveDelay.median >= 1 us");
        assertThat(Files.readString(session.resolve("tune.md"))).contains("receive buffer 16 KiB");
        assertThat(session.resolve("figures")).isDirectoryContaining("glob:**/tune-surface.svg");
        assertThat(session.resolve("figures")).isDirectoryContaining("glob:**/tune-trade-off.png");

        // existing runs are not made again; the last one of four is reserved for the comparison with a best
        try (LagbenchThread tune = LagbenchThread.run(
                directory, "tune", "--resume", session.toString(), "--budget", "4 runs", "--quiet")) {
            assertThat(tune.exitCode()).as(tune.err()).isEqualTo(ExitCode.UNDECIDED.code());
        }
        assertThat(json(session).get("runs").asInt()).isEqualTo(3);
        assertThat(Sweeps.runs(session)).hasSize(3);
    }

    @Test
    void resumesAfterInterruption() throws Exception {
        Path file = Files.writeString(directory.resolve("tiny.yaml"), TINY);
        try (LagbenchProcess tune = LagbenchProcess.start(directory, "tune", file.toString(), "--budget", "500 runs")) {
            tune.awaitErr("run 1 ");
            tune.signalGroup("INT");
            assertThat(tune.exitCode()).as(tune.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(tune.err())
                    .containsPattern(
                            "Interrupted: [1-9][0-9]* runs? (is|are) kept. To continue: lagbench tune --resume ")
                    .doesNotContain("\tat ");
            assertThat(tune.out()).isEmpty();
        }
        Path session = sweeps.session();
        Map<Path, FileTime> kept = complete(session);
        assertThat(kept).isNotEmpty();
        assertThat(session.resolve("summary.json")).doesNotExist();

        String budget = 2 * (kept.size() + 1) + " runs";
        try (LagbenchThread tune =
                LagbenchThread.run(directory, "tune", "--resume", session.toString(), "--budget", budget, "--quiet")) {
            assertThat(tune.exitCode()).as(tune.err()).isZero();
        }
        int runs = json(session).get("runs").asInt();
        assertThat(runs).isGreaterThan(kept.size());
        assertThat(complete(session)).hasSize(runs).containsAllEntriesOf(kept);
    }

    /** Returns the complete runs of a session, with the modification times of their records. */
    private static Map<Path, FileTime> complete(Path session) throws IOException {
        Map<Path, FileTime> complete = new HashMap<>();
        for (Path run : Sweeps.complete(session)) {
            complete.put(run, Files.getLastModifiedTime(run.resolve(RunRecord.FILE_NAME)));
        }
        return complete;
    }

    private static JsonNode json(Path session) throws IOException {
        return Sweeps.json(Files.readString(session.resolve("summary.json"))).get("tune");
    }
}
