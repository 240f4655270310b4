package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import tools.jackson.databind.JsonNode;

/** Makes sweeps over loopback with lagbench, sender and receiver processes. */
@Isolated
class SweepTest {
    private final Path directory;
    private final Sweeps sweeps;

    SweepTest(@TempDir Path directory) {
        this.directory = directory;
        this.sweeps = new Sweeps(directory);
    }

    @Test
    void printsReproducibleTableAndKeepsAllFiles() throws Exception {
        try (LagbenchProcess sweep = sweeps.start(Sweeps.TINY, "--set", "jvm=default")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            Path session = sweeps.session();

            assertThat(sweep.out())
                    .contains("TCP")
                    .contains("UDP")
                    .contains(session.getFileName().toString());
            assertThat(sweep.err()).contains("run 1 of 2").contains("run 2 of 2");
            assertThat(Sweeps.runs(session)).hasSize(2).allSatisfy(run -> {
                assertThat(run).isDirectoryContaining("glob:**/sender.npy");
                assertThat(run).isDirectoryContaining("glob:**/receiver.npy");
                assertThat(RunRecordFile.read(run).state()).isEqualTo(RunRecord.State.COMPLETE);
            });
            assertThat(session.resolve("summary.json")).exists();
            assertThat(session.resolve("summary.csv")).exists();
            assertThat(session.resolve("report.html"))
                    .content()
                    .contains("<title>" + session.getFileName() + " – lagbench");
            assertThat(session.resolve("experiment.yaml")).content().containsPattern("(?m)^seed: \\d+$");
            JsonNode environment = Sweeps.json(Files.readString(session.resolve("environment.json")));
            assertThat(environment.get("kernel").asString()).startsWith("Linux ");
            assertThat(environment.get("sysctls").get("net.core.rmem_max").asString())
                    .matches("\\d+");
            assertThat(environment.get("endedAt").asString()).isNotEmpty();
            assertThat(session.resolve("logs")).doesNotExist();
            assertTableIsReproduced(session, sweep.out());
        }
    }

    private void assertTableIsReproduced(Path session, String printed) throws Exception {
        String csv = Files.readString(session.resolve("summary.csv"));
        Files.delete(session.resolve("summary.csv"));
        Files.delete(session.resolve("summary.json"));
        try (LagbenchProcess table = LagbenchProcess.run(directory, "table", session.toString(), "--write")) {
            assertThat(table.exitCode()).as(table.err()).isZero();
            assertThat(printed).startsWith(table.out()).endsWith(session.getFileName() + System.lineSeparator());
            assertThat(session.resolve("summary.csv")).hasContent(csv);
            assertThat(session.resolve("summary.json")).isNotEmptyFile();
        }
        assertThat(CommandResult.of("table", session.toString(), "--format", "csv")
                        .out())
                .isEqualTo(csv);
        CommandResult corrected = CommandResult.of("table", session.toString(), "--clock", "corrected");
        assertThat(corrected.exitCode()).as(corrected.err()).isZero();
        assertThat(corrected.out())
                .contains("Nothing to correct: both sides of every run shared one kernel")
                .contains(" raw ")
                .doesNotContain(" hull ");
    }

    @Test
    void printsOnlySummaryAsJson() throws Exception {
        try (LagbenchProcess sweep = sweeps.start(Sweeps.TINY, "--json", "--no-report", "--set", "transports=[tcp]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweeps.session().resolve("report.html")).doesNotExist();
            assertThat(Sweeps.json(sweep.out()))
                    .isEqualTo(Sweeps.json(Files.readString(sweeps.session().resolve("summary.json"))));
            assertThat(sweep.err()).contains("run 1 of 1");
        }
    }

    @Test
    void printsNothingWhenQuiet() throws Exception {
        try (LagbenchProcess sweep = sweeps.start(Sweeps.TINY, "--quiet", "--set", "transports=[tcp]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).isEmpty();
            assertThat(sweep.err()).isEmpty();
        }
    }

    @Test
    void showsProgressBarOnTerminal() throws Exception {
        Files.writeString(directory.resolve("experiment.yaml"), Sweeps.TINY);
        try (LagbenchProcess sweep = LagbenchProcess.startOnTerminal(directory, "sweep", "experiment.yaml")) {
            assertThat(sweep.exitCode()).as(sweep.out()).isZero();
            assertThat(sweep.out())
                    .containsPattern("\\rruns +0% \\[ +\\] 0/2 \\(0:00:\\d\\d / 0:00:\\d\\d\\) +0001-(tcp|udp)-100-r1")
                    .containsPattern("\\rruns +100% \\[=+\\] 2/2")
                    .contains("Transmit lag")
                    .doesNotContain("run 1 of 2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "c"})
    void showsSentPacketsOnTerminal(String engine) throws Exception {
        Files.writeString(directory.resolve("experiment.yaml"), Sweeps.LONG);
        try (LagbenchProcess sweep =
                LagbenchProcess.startOnTerminal(directory, "sweep", "experiment.yaml", "--set", "engine=" + engine)) {
            sweep.awaitOut("0001-udp-100-r1 [1-9]\\d*/40000 [1-9]\\d*/s");
        }
    }

    @Test
    void leavesOutUnavailableTransport() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        try (LagbenchProcess sweep = sweeps.startSetting(
                List.of("-Dlagbench.native=" + empty), Sweeps.TINY, "transports=[ieee1394,udp]", "repeats=2")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(sweep.err()).containsOnlyOnce("All further runs over ieee1394 are left out.");
            assertThat(Sweeps.complete(sweeps.session())).hasSize(2).allSatisfy(run -> assertThat(run.toString())
                    .contains("udp"));
            assertThat(sweep.out()).contains("UDP").doesNotContain("1394");
        }
    }

    @Test
    void removesVirtualBus() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("t"));
        try (LagbenchProcess sweep = sweeps.startSetting(
                List.of("-Djava.io.tmpdir=" + temporary), Sweeps.TINY, "transports=ieee1394", "repeats=2")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).contains("IEEE-1394");
            assertThat(Sweeps.complete(sweeps.session())).hasSize(2).allSatisfy(run -> {
                assertThat(Sweeps.stamps(run)).isEqualTo(200);
                RunRecord.Counts counts = RunRecordFile.read(run).counts();
                assertThat(counts).isNotNull();
                assertThat(counts.distinct()).isEqualTo(200);
            });
            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Test
    void rejectsUnknownKey() throws Exception {
        try (LagbenchProcess sweep = sweeps.start(Sweeps.TINY + "packet-size: 3\n")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(sweep.err())
                    .contains("experiment.yaml:" + (Sweeps.TINY.lines().count() + 1))
                    .contains("packet-size")
                    .doesNotContain("\tat ");
            assertThat(directory.resolve("results")).doesNotExist();
        }
    }

    @Test
    void failsWhenReceiverIsUnreachable() throws Exception {
        // no receiver listens on port 1
        try (LagbenchProcess sweep = sweeps.start(Sweeps.TINY, "--set", "receiver=127.0.0.1:1")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.PEER.code());
            assertThat(sweep.err())
                    .contains("127.0.0.1:1")
                    .doesNotContain("\tat ")
                    .contains("0 of 2 runs");
        }
    }
}
