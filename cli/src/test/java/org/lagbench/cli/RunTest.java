package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.experiment.ExperimentReader;

/** Tests {@code lagbench run} on one machine. */
class RunTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    @Tag("one-java")
    void measuresWithoutExperimentFile() throws Exception {
        try (LagbenchThread run = LagbenchThread.run(
                directory,
                ("run tcp --size 100 --duration 200ms --rate 800kbit --mode sleep --warm-up-packets 50 --drain 100ms"
                                + " --observe auto --jvm=-XX:TieredStopAtLevel=1 --send-buffer 64KiB"
                                + " --no-delay=false --clock.max-error 5ms --output " + directory.resolve("results"))
                        .split(" ", -1))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.err())
                    .containsOnlyOnce("observe: auto recorded no causes: ")
                    .contains("too few packets for windows");
            Path session = new Sweeps(directory).session();
            assertThat(run.out().lines())
                    .endsWith("Session: " + session, "Report: " + session.resolve("report.html"))
                    .contains("TCP/IP: 200 packets of 100 bytes, one each 1 ms (0.800 Mbit/s), engine java.");
            assertThat(session.resolve("report.html")).isNotEmptyFile();
            assertThat(session.resolve("experiment.yaml"))
                    .content()
                    .contains("name: run\n", "packets: 200\n", "max-error: 5ms", "receiver: local");
            assertThat(Sweeps.complete(session)).hasSize(1);
            RunRecord record = RunRecord.read(Sweeps.runs(session).get(0));
            assertThat(record.point().packetBytes()).isEqualTo(100);
            assertThat(record.point().pace().intervalNs()).isEqualTo(1_000_000);
            assertThat(record.point().allSettings().asMap())
                    .containsEntry("send-buffer", 65_536L)
                    .containsEntry("no-delay", false);
        }
    }

    /** Computes part of the time, until it is killed; no child of the test. */
    private static final String OTHER_PROGRAM =
            "exec 9<> <(:); (while read -t 0.05 -u 9; (($? > 128)); do for ((i = 0; i < 3000; i++)); do :; done; done)"
                    + " >/dev/null & echo $!";

    @Test
    @Tag("one-java")
    void waitsForOtherProgramAndMarksRun() throws Exception {
        Process shell = new ProcessBuilder("bash", "-c", OTHER_PROGRAM).start();
        ProcessHandle other = null;
        try (BufferedReader out = shell.inputReader()) {
            other = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
            try (LagbenchThread run = LagbenchThread.run(
                    directory,
                    ("run tcp --size 100 --duration 1200ms --interval 2ms --mode sleep --warm-up-packets 50"
                                    + " --observe none --machine.max-other-load 1% --wait-for-idle 2s --no-report"
                                    + " --output "
                                    + directory.resolve("results"))
                            .split(" ", -1))) {
                assertThat(run.exitCode()).as(run.err()).isZero();
                assertThat(run.err()).contains("waiting for other programs: they use ");
                assertThat(run.out())
                        .containsPattern(
                                "(?s)! Other programs used more of the host's.*machine.max-other-load\\s+allows, 1%.*"
                                        + "They\\s+used\\s+[1-9][0-9]*\\s+%\\s+in\\s+the\\s+run,\\s+which");
            }
        } finally {
            if (other != null) {
                other.destroyForcibly();
            }
        }
    }

    @Test
    @Tag("one-java")
    void measuresEqualStreamsAtTheSameTime() throws Exception {
        try (LagbenchThread run = LagbenchThread.run(
                directory,
                ("run udp --streams 2 --flood --size 100 --packets 2000 --warm-up-packets 50 --drain 100ms"
                                + " --jvm=-XX:TieredStopAtLevel=1 --receive-buffer 1MiB --no-report"
                                + " --output " + directory.resolve("results"))
                        .split(" ", -1))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.err()).as("observe is not set").doesNotContain("recorded no causes");
            assertThat(run.out()).contains("Sum of the streams, while all of them arrived", "Received");
        }
        Path session = new Sweeps(directory).session();
        assertThat(Sweeps.complete(session))
                .extracting(run -> run.getFileName().toString())
                .containsExactlyInAnyOrder("0001-udp-100-1-r1", "0001-udp-100-2-r1");
        assertThat(session.resolve("summary.json")).content().contains("\"sums\"", "\"streams\" : 2");
    }

    @Test
    @Tag("one-java")
    void printsLineForEachReply() throws Exception {
        try (LagbenchThread ping = LagbenchThread.run(
                directory,
                "ping",
                "-c",
                "5",
                "-i",
                "20ms",
                "--machine.max-other-load",
                "100%",
                "--judge-by",
                "value",
                "--require",
                "roundTrip.median <= 1s",
                "--output",
                directory.resolve("results").toString())) {
            assertThat(ping.exitCode()).as(ping.err()).isZero();
            assertThat(ping.out().lines().filter(line -> line.contains("seq=")))
                    .hasSize(5)
                    .allMatch(line -> line.matches("64 bytes from this machine: seq=[0-4] time=[0-9.]+ [nµm]s"));
            assertThat(ping.out())
                    .contains("UDP/IP: 5 packets of 64 bytes, one each 20 ms (0.026 Mbit/s)", "Round trip", "met");
        }
    }

    @Test
    void explainsMistakesOfPingAsTyped() {
        assertThat(CommandResult.of("ping", "-s", "5", "-c", "0", "-i", "0s", "-W", "0s")
                        .err())
                .contains("--packets: 0 is", "--interval: 0s is", "--reply-timeout: 0s is", "--size: 5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "udp --packets 0                | --packets: 0 is not accepted; it takes a whole number from 1",
                "udp --interval 5               | --interval: 5 is not accepted",
                "udp --flood --interval 1ms     | --interval: a flood has neither interval nor bursts",
                "udp --flood --duration 1s      | --duration: a flood sends a number of packets, however long",
                "udp --packets 5 --duration 1s  | --packets or --duration, not both",
                "udp --reverse --bidirectional  | --reverse or --bidirectional, not both",
                "udp --congestion-control reno  | --congestion-control: udp takes --send-buffer",
                "smoke --packets 5              | \"smoke\" is not a transport",
                "udp --pakets 5                 | --pakets",
                "tcp,udp --rate 10mbit --size [24,992] | --rate: give one --size",
                "tcp,smoke --packets 5          | \"smoke\" is not a transport",
                "udp [fe80::1                   | HOST[:PORT]: \"[fe80::1:5394\" is not host:port",
                "udp --key-file none            | none cannot be read: there is no such file",
                "udp 127.0.0.1:1                | No receiver answers at 127.0.0.1:1",
            })
    void explainsMistakes(String arguments, String message) {
        List<String> all = new ArrayList<>(List.of("run", "--output", directory.toString()));
        all.addAll(List.of(arguments.split(" ", -1)));
        CommandResult run = CommandResult.of(all.toArray(String[]::new));
        assertThat(run.exitCode()).isIn(ExitCode.USAGE.code(), ExitCode.PEER.code(), ExitCode.KEY.code());
        assertThat(run.err()).contains(message).doesNotContain("\tat ");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void hasAnOptionForEveryKey() {
        CommandResult help = CommandResult.of("run", "--help");
        List<String> keys = new ArrayList<>(
                new ExperimentReader(Transports.load(), Engines.load()).keys().keySet());
        // two arguments, and five keys that only files have
        keys.removeAll(List.of("transports", "receiver", "streams", "tune", "monitor", "capacity", "order"));
        assertThat(keys)
                .map(key -> key + "|" + key.replaceFirst("^[^.]*\\.", ""))
                .allSatisfy(names -> assertThat(help.out())
                        .containsPattern("(?m)^ +(?:--(?:size|streams), )?--(" + names + ")[,= ]"));
    }
}
