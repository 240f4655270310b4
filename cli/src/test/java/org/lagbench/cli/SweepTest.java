package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Executes sweeps over loopback with lagbench, sender and receiver processes. */
@Execution(ExecutionMode.CONCURRENT)
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
                assertThat(RunRecord.read(run).state()).isEqualTo(RunRecord.State.COMPLETE);
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
        CommandResult table = CommandResult.of("table", session.toString(), "--write");
        assertThat(table.exitCode()).as(table.err()).isZero();
        assertThat(printed).startsWith(table.out()).contains(session.getFileName() + System.lineSeparator());
        assertThat(session.resolve("summary.csv")).hasContent(csv);
        assertThat(session.resolve("summary.json")).isNotEmptyFile();
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
    @Tag("one-java")
    void printsSummaryAsJsonAndMetricsOfEachSecond() throws Exception {
        Process receiver = receiver();
        try (BufferedReader lines = receiver.inputReader();
                LagbenchProcess sweep = sweeps.start(
                        Sweeps.TINY,
                        "--json",
                        "--live",
                        "--no-report",
                        "--set",
                        "transports=[tcp]",
                        "--set",
                        "receiver=" + lines.readLine().substring("listening on ".length()))) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweeps.session().resolve("report.html")).doesNotExist();
            assertThat(Sweeps.json(sweep.out()))
                    .isEqualTo(Sweeps.json(Files.readString(sweeps.session().resolve("summary.json"))));
            assertThat(sweep.err())
                    .contains("run 1 of 1")
                    .containsPattern("0001-tcp-100-r1  0\\.\\d s  lag [\\d.]+ .s, Q99 [\\d.]+ .s  lost 0  received ");
        } finally {
            receiver.destroyForcibly();
        }
    }

    /** Starts a receiver of one run. */
    private Process receiver() throws IOException {
        return new ProcessBuilder(Distribution.command(
                        "org.lagbench.receiver.Receiver", "--listen", "127.0.0.1:0", "--runs", "1", "--end-with-stdin"))
                .directory(directory.toFile())
                .redirectError(directory.resolve("receiver.txt").toFile())
                .start();
    }

    @Test
    @Tag("one-java")
    void showsProgressBarAndOverwritesSecondsOnTerminal() throws Exception {
        Files.writeString(directory.resolve("experiment.yaml"), Sweeps.TINY.replace("packets: 200", "packets: 2300"));
        try (LagbenchProcess sweep =
                LagbenchProcess.startOnTerminal(directory, "sweep", "experiment.yaml", "--no-report")) {
            assertThat(sweep.exitCode()).as(sweep.out()).isZero();
            String second = "\\r\u001b\\[K%d\\.\\d s  lag [\\d.]+ .s, Q99 [\\d.]+ .s  lost \\d+.*  received ";
            assertThat(sweep.out())
                    .containsPattern("\\rruns +0% \\[ +\\] 0/2 \\(0:00:\\d\\d / \\?\\) +at least \\d+ s +0001-")
                    .containsPattern("\\rruns +50% \\[=+ +\\] 1/2 \\(0:00:\\d\\d / 0:00:\\d\\d\\) +0001-")
                    .containsPattern(String.format(second, 1))
                    .containsPattern("\u001b\\[A" + String.format(second, 2))
                    .containsPattern("\\rruns +100% \\[=+\\] 2/2")
                    .contains("Lag ± ")
                    .doesNotContain("run 1 of 2");
        }
    }

    @Test
    @Tag("one-java")
    void skipsTransportThatWasNotBuilt() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        try (LagbenchProcess sweep = sweeps.startSetting(
                List.of("-Dlagbench.native=" + empty),
                Sweeps.TINY,
                "transports=[ieee1394,udp]",
                "ieee1394.queue-packets=[2, 16]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.err()).containsOnlyOnce("lagbench: without ieee1394: IEEE-1394 needs ");
            assertThat(Sweeps.complete(sweeps.session())).hasSize(1).allSatisfy(run -> assertThat(run.toString())
                    .contains("udp"));
            assertThat(sweep.out()).contains("UDP").doesNotContain("1394");
        }
    }

    @Test
    @Tag("one-java")
    void removesVirtualBus() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("t"));
        try (LagbenchProcess sweep = sweeps.startSetting(
                List.of("-Djava.io.tmpdir=" + temporary),
                Sweeps.TINY,
                "transports=ieee1394",
                "ieee1394.receiver-port=[auto, 1]",
                "machine.max-other-load=100%")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).contains("IEEE-1394 (virtual bus)");
            assertThat(Sweeps.complete(sweeps.session())).hasSize(2).allSatisfy(run -> {
                assertThat(Sweeps.stamps(run)).isEqualTo(200);
                RunRecord record = RunRecord.read(run);
                assertThat(record.counts()).isNotNull();
                assertThat(record.counts().distinct()).isEqualTo(200);
            });
            assertThat(temporary).isEmptyDirectory();
            loseAllPackets(Sweeps.runs(sweeps.session()).get(0));
            assertSessionOfRunWithoutArrivalsIsReadable(sweeps.session());
        }
    }

    /** Rewrites a complete run as if no packet had arrived. */
    private static void loseAllPackets(Path run) throws Exception {
        Path file = run.resolve(RunRecord.FILE_NAME);
        ObjectNode record = (ObjectNode) Sweeps.json(Files.readString(file));
        ((ObjectNode) record.get("counts")).put("received", 0).put("distinct", 0);
        Files.writeString(file, record.toString());
        Files.delete(run.resolve(Checksums.FILE_NAME));
        Path capture = run.resolve(ReceiverCapture.FILE_NAME);
        Files.delete(capture);
        ReceiverCapture.create(capture, 200, true).close();
        RunFileNames.addChecksums(run, name -> true);
    }

    private void assertSessionOfRunWithoutArrivalsIsReadable(Path session) throws Exception {
        assertThat(CommandResult.of("table", session.toString()).out().replaceAll("\\s+", " "))
                .containsPattern("No packet arrived in 1 run \\(000[12]-ieee1394-100-r1\\)\\."
                        + " Are both ports on one bus\\? ");
        for (String command : List.of("table", "report", "figures", "export")) {
            List<String> arguments = new ArrayList<>(List.of(command, session.toString()));
            arguments.addAll(command.equals("export") ? List.of("--format", "csv") : List.of());
            CommandResult result = CommandResult.of(arguments.toArray(String[]::new));
            assertThat(result.exitCode()).as(result.err()).isZero();
        }
        CommandResult broken = judge(session);
        assertThat(broken.exitCode()).isEqualTo(ExitCode.BROKEN.code());
        assertThat(broken.err()).contains("arrived in 1 of 2 runs; --allow-missing accepts a share of the runs.");
        assertThat(judge(session, "--allow-missing", "50%").exitCode()).isZero();
        assertThat(judge(session, "--allow-missing", "50%", "--require", "loss <= 1 %", "--judge-by", "value")
                        .exitCode())
                .isEqualTo(ExitCode.MISSED.code());
        assertThat(CommandResult.of("verify", session.toString()).out()).contains("2 runs, 0 damaged, 0 without");
        Path receiver = Sweeps.runs(session).get(0).resolve("receiver.npy");
        Files.write(receiver, new byte[1]);
        CommandResult verify = CommandResult.of("verify", session.toString());
        assertThat(verify.exitCode()).isEqualTo(ExitCode.FILES.code());
        assertThat(verify.out())
                .contains("receiver.npy is cut off: it has 1 bytes in place of ", "2 runs, 1 damaged, 0");
        assertThat(CommandResult.of("table", session.toString()).out().replaceAll("\\s+", " "))
                .contains("Excluded: 0001-ieee1394-100-r1, receiver.npy is cut off");
        try (LagbenchThread resumed =
                LagbenchThread.run(directory, "sweep", "--resume", session.toString(), "--no-report")) {
            assertThat(resumed.exitCode()).as(resumed.err()).isZero();
            assertThat(resumed.err()).contains("0001-ieee1394-100-r1 is repeated: receiver.npy is cut off");
        }
        assertThat(CommandResult.of("verify", session.toString()).exitCode()).isZero();
    }

    /** Judges the existing runs of a sweep that makes no more. */
    private static CommandResult judge(Path session, String... options) {
        List<String> arguments = new ArrayList<>(List.of("sweep", "--resume", session.toString(), "--no-report"));
        arguments.addAll(List.of(options));
        return CommandResult.of(arguments.toArray(String[]::new));
    }

    @Test
    void rejectsUnknownKey() throws Exception {
        Path file = Files.writeString(directory.resolve("experiment.yaml"), Sweeps.TINY + "packet-size: 3\n");
        Path results = directory.resolve("results");
        CommandResult sweep = CommandResult.of("sweep", file.toString(), "--output", results.toString());
        assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(sweep.err())
                .contains("experiment.yaml:" + (Sweeps.TINY.lines().count() + 1))
                .contains("packet-size")
                .doesNotContain("\tat ");
        assertThat(results).doesNotExist();
    }

    @Test
    @Tag("one-java")
    void failsWhenReceiverIsUnreachable() throws Exception {
        // no receiver listens on port 1
        try (LagbenchThread sweep = sweeps.startHere(Sweeps.TINY, "--set", "receiver=127.0.0.1:1")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.PEER.code());
            assertThat(sweep.err())
                    .contains("127.0.0.1:1")
                    .doesNotContain("\tat ")
                    .contains("0 of 2 runs");
        }
    }
}
