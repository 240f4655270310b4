package org.lagbench.runner.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.experiment.MatrixSpec;
import org.lagbench.experiment.MatrixSpec.Site;
import org.lagbench.receiver.LoopbackReceiver;

class PairMeasurementTest {
    private static final String OTHER_RUN = "the record of another run";
    private static final String NO_CAPTURES = "a record without captures";
    private static final String STRANGE_STAMPS = "stamps from outside of the run";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    /** A bottleneck search computes the size of a transfer from a measured rate. */
    @Test
    void sendsWholePiecesOfAnySize() throws Exception {
        PairMeasurement pair = pair(new Endpoint("192.0.2.7", 5394), 500);

        assertThat(pair.transfer(1_000_001).runs(1))
                .singleElement()
                .extracting(run -> run.point().packets())
                .isEqualTo(61L); // of 16,384 bytes each
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "\u001b[2J\u0000",
                "{\"format\": \"lagbench-run-2\"}",
                OTHER_RUN,
                NO_CAPTURES,
                STRANGE_STAMPS
            })
    void refusesFilesThatAreNotThoseOfRequestedRun(String content) throws Exception {
        Path files = Files.createDirectory(directory.resolve("files"));
        String run = run(pair(new Endpoint("192.0.2.7", 5394), 500)).name();
        String script = "read -r line && d=$(echo \"$line\" | sed 's/.*\"directory\":\"\\([^\"]*\\)\".*/\\1/')"
                + " && cp -r '" + files + "' \"$d/" + run + "\"";
        try (LoopbackReceiver agent = LoopbackReceiver.agent(directory.resolve("agent"), script)) {
            PairMeasurement pair = pair(agent.endpoint(), 500);
            switch (content) {
                case OTHER_RUN -> writeRecord(files, pair(agent.endpoint(), 400), null);
                case NO_CAPTURES -> writeRecord(files, pair, null);
                case STRANGE_STAMPS -> writeStrangeStamps(files, pair);
                default -> Files.writeString(files.resolve(RunRecord.FILE_NAME), content);
            }
            Path session = directory.resolve("session");
            List<String> errors = new ArrayList<>();

            ExitCode exitCode = pair.execute(
                    session,
                    new ShutdownCoordinator(),
                    (missing, remaining) -> new MatrixExecution.PairProgress(errors::add, true, 0));

            assertThat(exitCode).isEqualTo(ExitCode.BROKEN);
            String reason = "The agent at " + agent.endpoint() + " sent files that are not those of";
            assertThat(errors).singleElement(STRING).startsWith(run + ": " + reason);
            assertThat(errors.get(0).contains("has a packet sent at " + (1L << 62)))
                    .isEqualTo(content.equals(STRANGE_STAMPS));
            assertThat(errors.get(0).contains(" describes another run")).isEqualTo(content.equals(OTHER_RUN));
            RunRecord failed = RunRecord.read(session.resolve("runs").resolve(run));
            assertThat(failed.state()).isEqualTo(RunRecord.State.BROKEN);
            assertThat(failed.failure()).startsWith(reason);
            assertThat(session.resolve("runs").resolve(run)).isDirectoryNotContaining("glob:**.npy");
            assertThat(session.resolve("incoming")).doesNotExist();
            assertThat(session.resolve("broken").resolve(run)).isNotEmptyDirectory();
        }
    }

    /** The agent of a pair has omitted the captures of its run. The pair has the reason, and the others are printed. */
    @Test
    void printsOtherPairsIfAgentOmitsFile() throws Exception {
        PairMeasurement pair = pair(new Endpoint("127.0.0.9", 1), 500);
        try (MatrixSession matrix = MatrixSession.create(directory, pair.spec(), Instant.EPOCH)) {
            Path broken = matrix.directory(pair);
            Path run = Files.createDirectories(
                    broken.resolve("runs").resolve(run(pair).name()));
            Files.writeString(broken.resolve("experiment.yaml"), pair.stream().toYaml());
            writeRecord(run, pair, null);

            assertThat(matrix.result(MatrixResult.METRICS, List.of()).pairs())
                    .extracting(MatrixResult.PairResult::failure)
                    .satisfiesExactly(reason -> assertThat(reason).contains("sender.npy"), reason -> assertThat(reason)
                            .isEqualTo("Not measured yet."));
            assertThat(new MatrixExecution(matrix, 1, new ShutdownCoordinator(), line -> {}).run())
                    .isEqualTo(ExitCode.PEER);
            assertThat(broken.resolve("broken").resolve(run(pair).name())).isDirectory();
        }
    }

    private static PairMeasurement pair(Endpoint agent, long packets) {
        Site from = new Site("a", agent, null);
        Site to = new Site("b", new Endpoint("192.0.2.8", 5394), null);
        return new PairMeasurement(
                new MatrixSpec("m", 200, packets, 4_000_000, 0, List.of(from, to), List.of()), from, to);
    }

    /** Returns the first run of a pair. */
    private static RunSpec run(PairMeasurement pair) throws Exception {
        MatrixSpec spec = pair.spec();
        List<String> keys = PairPlan.packets(Traffic.ONE_WAY, spec.packetBytes(), spec.packets(), spec.intervalNs());
        return new ExperimentReader(Transports.load(), Engines.load())
                .build("first", keys)
                .run()
                .numbered(1, 1)
                .runs()
                .get(0);
    }

    /** Writes the files of a run in which no packet arrived, with stamps of another century. */
    private static void writeStrangeStamps(Path files, PairMeasurement pair) throws Exception {
        long packets = run(pair).point().packets();
        try (SenderCapture capture = SenderCapture.create(files.resolve(SenderCapture.FILE_NAME), packets, false)) {
            for (long packet = 0; packet < packets; packet++) {
                capture.append(packet, 1L << 62, 1L << 62, 1L << 62);
            }
        }
        ReceiverCapture.create(files.resolve(ReceiverCapture.FILE_NAME), packets, false)
                .close();
        ClockHistory unknown = new ClockHistory(List.of(), List.of());
        writeRecord(
                files,
                pair,
                new RunRecord.Clock(null, ClockBound.Basis.NOTHING, true, List.of(), unknown, unknown, List.of()));
    }

    /** Writes the record of the complete first run of a pair. */
    private static void writeRecord(Path files, PairMeasurement pair, RunRecord.@Nullable Clock clock)
            throws Exception {
        RunSpec run = run(pair);
        RunRecord.Side side = RunRecord.Side.ofThisHost(Map.of());
        new RunRecord(
                        run,
                        "UDP/IP",
                        RunRecord.State.COMPLETE,
                        null,
                        Instant.parse("2026-03-14T10:15:00Z"),
                        Instant.parse("2026-03-14T10:15:02Z"),
                        side,
                        side,
                        new RunRecord.Counts(0, 0, 0, 0, 0, 0, 0, null),
                        clock,
                        null,
                        null)
                .write(files);
    }
}
