package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunRecord;

/** Kills processes of sweeps: the stamps are kept, and no process remains. */
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class SweepKillTest {
    private final Path directory;
    private final Sweeps sweeps;

    SweepKillTest(@TempDir Path directory) {
        this.directory = directory;
        this.sweeps = new Sweeps(directory);
    }

    /** ServedRunTest has a sender that ends over UDP, BusResourcesTest the end of a wait for the bus. */
    @ParameterizedTest
    @CsvSource({"receiver.Receiver, udp, events", "receiver.Receiver, ieee1394, none", "sender.Sender, tcp, events"})
    void keepsStampsWhenProcessIsKilled(String program, String transport, String observe) throws Exception {
        try (LagbenchThread sweep = sweeps.startHere(Sweeps.LONG, settings(transport, observe))) {
            ProcessHandle killed = sweep.awaitChild("org.lagbench." + program);
            Path session = sweeps.awaitStamps();
            LagbenchProcess.signal(killed, "KILL");

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            Path run = Sweeps.runs(session).get(0);
            assertThat(RunRecord.read(run).state()).isEqualTo(RunRecord.State.BROKEN);
            assertThat(Sweeps.stamps(run)).isPositive();
            assertThat(sweep.err())
                    .contains("0 of 1 runs", "signal 9: another program or the kernel ended it")
                    .doesNotContain("\tat ");
        }
    }

    /** The sender finds nobody at the receiver's address; the command is the receiver's parent and has its status. */
    @Test
    void namesSignalOfReceiverKilledBeforeTheOffer() throws Exception {
        try (LagbenchThread sweep = sweeps.startHere(Sweeps.LONG)) {
            ProcessHandle sender = sweep.awaitChild("org.lagbench.sender.Sender");
            LagbenchProcess.signal(sender, "STOP");
            ProcessHandle receiver = sweep.awaitChild("org.lagbench.receiver.Receiver");
            LagbenchProcess.signal(receiver, "ABRT");
            LagbenchProcess.awaitEnd(receiver);
            LagbenchProcess.signal(sender, "CONT");

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(sweep.err())
                    .contains("The receiver ended by signal 6: a fault of it or of a library that it uses, unless")
                    .doesNotContain("lagbench serve");
        }
    }

    @ParameterizedTest
    @CsvSource({"tcp, none", "ieee1394, events"})
    void endsAllProcessesWhenSweepIsKilled(String transport, String observe) throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("t"));
        List<String> jvmOptions = List.of("-Djava.io.tmpdir=" + temporary);
        try (LagbenchProcess sweep = sweeps.start(jvmOptions, Sweeps.LONG, settings(transport, observe))) {
            sweeps.awaitStamps();
            List<ProcessHandle> children = sweep.children();
            assertThat(children).hasSizeGreaterThanOrEqualTo(2);
            sweep.signal("KILL");

            await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                assertThat(children).noneMatch(ProcessHandle::isAlive);
                assertThat(temporary).isEmptyDirectory(); // the bus daemon deletes its directory when it ends
            });
        }
    }

    /** A stop of all processes before the kill keeps any of them from noticing that another has ended. */
    @ParameterizedTest
    @CsvSource({"udp, java", "tcp, c"})
    void readsStampsWhenAllProcessesAreKilled(String transport, String engine) throws Exception {
        String[] settings = {"--set", "transports=" + transport, "--set", "engine=" + engine};
        Path session;
        try (LagbenchProcess sweep = sweeps.start(Sweeps.LONG, settings)) {
            session = sweeps.awaitStamps();
            sweep.signal("STOP");
            List<ProcessHandle> children = sweep.children();
            for (ProcessHandle child : children) {
                LagbenchProcess.signalUnlessEnded(child, "STOP");
            }
            sweep.signal("KILL");
            children.forEach(ProcessHandle::destroyForcibly);
            await().atMost(Duration.ofSeconds(60)).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
        Path run = Sweeps.runs(session).get(0);
        assertThat(RunRecord.read(run).state()).isEqualTo(RunRecord.State.RUNNING);
        String name = String.valueOf(run.getFileName());
        CommandResult table = CommandResult.of("table", session.toString());
        assertThat(table.out().replaceAll("\\s+", " "))
                .contains("Excluded: " + name + ", is running, or its processes were killed.");
        CommandResult all = CommandResult.of("table", session.toString(), "--include-broken", "--format", "csv");
        assertThat(all.exitCode()).as(all.err()).isZero();
        assertThat(all.out()).contains("run," + name + ",1,RUNNING,");
        Path exported = directory.resolve("exported");
        CommandResult export = CommandResult.of(
                "export", session.toString(), "--format", "csv", "--include-broken", "--output", exported.toString());
        assertThat(export.exitCode()).as(export.err()).isZero();
        assertThat(exported.resolve(name + ".csv")).isNotEmptyFile();
    }

    /** Each packet waits for the reply to the one before: at most one packet has none. */
    @Test
    void keepsStampsOfRoundTripsWhenReceiverIsKilled() throws Exception {
        try (LagbenchThread sweep =
                sweeps.startHereSetting(Sweeps.LONG, "transports=tcp", "traffic=round-trip", "in-flight=1")) {
            ProcessHandle killed = sweep.awaitChild("org.lagbench.receiver.Receiver");
            Path session = sweeps.awaitStamps(10);
            LagbenchProcess.signal(killed, "KILL");

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(sweep.err()).contains("signal 9: another program or the kernel ended it");
            Path run = Sweeps.runs(session).get(0);
            assertThat(RunRecord.read(run).state()).isEqualTo(RunRecord.State.BROKEN);
            long sent = Sweeps.stamps(run);
            assertThat(sent).isGreaterThanOrEqualTo(10);
            try (CaptureReader stamps = CaptureReader.open(run.resolve(SenderCapture.FILE_NAME));
                    CaptureReader replies = CaptureReader.open(run.resolve(ReceiverCapture.REPLIES_FILE_NAME))) {
                assertThat(replies.records()).isBetween(sent - 1, sent);
                for (long i = 0; i < replies.records(); i++) {
                    assertThat(replies.value(i, replies.field("seq"))).isEqualTo(i);
                    assertThat(replies.value(i, replies.field("answered_ns")))
                            .isGreaterThan(stamps.value(i, stamps.field("sent_ns")));
                }
            }
        }
    }

    @Test
    void keepsStampsWhenNativeEngineIsKilled() throws Exception {
        try (LagbenchThread sweep = sweeps.startHereSetting(Sweeps.LONG, "engine=c", "stall-timeout=1s")) {
            sweeps.awaitStamps();
            LagbenchProcess.signal(sweep.awaitChild("lagbench-engine send"), "KILL");
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(sweep.err())
                    .contains("lagbench-engine")
                    .contains("signal 9")
                    .doesNotContain("\tat ");
            RunRecord record = RunRecord.read(Sweeps.runs(sweeps.session()).get(0));
            assertThat(record.state()).isEqualTo(RunRecord.State.BROKEN);
            assertThat(Sweeps.runs(sweeps.session()).get(0)).isDirectoryContaining("glob:**/sender.npy");
            assertThat(Sweeps.runs(sweeps.session()).get(0)).isDirectoryContaining("glob:**/receiver.npy");
        }
    }

    private static String[] settings(String transport, String observe) {
        return new String[] {"--set", "transports=" + transport, "--set", "observe=" + observe};
    }
}
