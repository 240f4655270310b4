package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunRecord;

/** Interrupts sweeps by Ctrl-C or SIGTERM, which reach their processes in any order, and resumes them. */
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class SweepInterruptionTest {
    /** The second run takes 4 s, long enough to interrupt it. */
    private static final String SHORT_THEN_LONG =
            """
            name: short-then-long
            observe: none
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            seed: 1
            transports: [udp]
            packet-bytes: 100
            packets: 200
            warm-up-packets: 10
            pace: [{mode: sleep, interval: 1ms}, {mode: sleep, interval: 20ms}]
            drain: 100ms
            """;

    private final Path directory;
    private final Sweeps sweeps;

    SweepInterruptionTest(@TempDir Path directory) {
        this.directory = directory;
        this.sweeps = new Sweeps(directory);
    }

    @Test
    void resumesAfterCtrlC() throws Exception {
        Path session;
        Path finished;
        byte[] record;
        try (LagbenchProcess sweep = sweeps.start(SHORT_THEN_LONG)) {
            sweep.awaitErr("run 1 of 2");
            session = sweeps.session();
            assertThat(Sweeps.complete(session)).hasSize(1);
            finished = Sweeps.complete(session).get(0).resolve(RunRecord.FILE_NAME);
            sweep.awaitChild("org.lagbench.sender.Sender");
            List<ProcessHandle> children = sweep.children();
            sweep.signalGroup("INT");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(sweep.err()).contains("--resume " + directory.relativize(session));
            assertThat(Sweeps.complete(session)).hasSize(1);
            record = Files.readAllBytes(finished);
        }
        try (LagbenchThread resumed =
                LagbenchThread.run(directory, "sweep", "--resume", session.toString(), "--no-report")) {
            assertThat(resumed.exitCode()).as(resumed.err()).isZero();
            assertThat(resumed.err()).contains("run 1 of 1").doesNotContain("run 2");
        }
        assertThat(Sweeps.complete(session)).hasSize(2);
        assertThat(finished).hasBinaryContent(record);
        assertThat(session.resolve("environment-2.json")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"run udp", "clock", "doctor"})
    void endsWhileReceiverDoesNotAnswer(String command) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String arguments = command + " 127.0.0.1:" + silent.getLocalPort();
            try (LagbenchProcess program = LagbenchProcess.start(directory, arguments.split(" "));
                    Socket accepted = silent.accept()) {
                program.signal("INT");
                assertThat(program.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
                assertThat(program.out() + program.err()).doesNotContain("does not answer", "took more than");
                assertThat(accepted.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void rejectsSessionInUseAndRecordsPacketCountOfInterruptedRun() throws Exception {
        try (LagbenchProcess sweep = sweeps.start(Sweeps.LONG, "--set", "observe=events")) {
            Path session = sweeps.awaitStamps();
            CommandResult other = CommandResult.of("sweep", "--resume", session.toString());
            assertThat(other.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(other.err()).contains("Another lagbench uses").contains(session.toString());
            List<ProcessHandle> children = sweep.children();
            assertThat(children).isNotEmpty();
            sweep.signal("TERM"); // its children get none

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            Path run = Sweeps.runs(session).get(0);
            RunRecord record = RunRecord.read(run);
            assertThat(record.state()).isEqualTo(RunRecord.State.INTERRUPTED);
            assertThat(record.failure())
                    .isEqualTo("Interrupted after " + Sweeps.stamps(run) + " of "
                            + record.point().packets() + " packets.");
            assertThat(sweep.err()).contains("interrupted,").doesNotContain("failed");
        }
    }

    /** A signal to the process group may reach the processes of the c engine before the other processes. */
    @Test
    void reportsInterruptionThoughNativeEngineEndsFirst() throws Exception {
        try (LagbenchProcess sweep = sweeps.start(Sweeps.LONG, "--set", "engine=c")) {
            Path session = sweeps.awaitStamps();
            LagbenchProcess.signal(sweep.awaitChild("lagbench-engine receive"), "TERM");
            LagbenchProcess.signal(sweep.awaitChild("lagbench-engine send"), "TERM");
            Path run = Sweeps.runs(session).get(0);
            long stamps = Sweeps.stamps(run);
            await().atMost(Duration.ofSeconds(90)).until(() -> Sweeps.stamps(run) > stamps);
            sweep.signalGroup("TERM");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            RunRecord record = RunRecord.read(run);
            assertThat(record.state()).isEqualTo(RunRecord.State.INTERRUPTED);
            assertThat(record.failure())
                    .isEqualTo("Interrupted after " + Sweeps.stamps(run) + " of "
                            + record.point().packets() + " packets.");
        }
    }

    /**
     * Ctrl-C and SIGTERM reach all processes of the sweep in any order: here the receiver long before the other
     * processes.
     */
    @ParameterizedTest
    @CsvSource({"udp, INT, events", "tcp, TERM, none", "ieee1394, TERM, events"})
    void reportsInterruptionThoughReceiverEndsFirst(String transport, String signal, String observe) throws Exception {
        try (LagbenchProcess sweep =
                sweeps.start(Sweeps.LONG, "--set", "transports=" + transport, "--set", "observe=" + observe)) {
            ProcessHandle sender = sweep.awaitChild("org.lagbench.sender.Sender");
            ProcessHandle receiver = sweep.awaitChild("org.lagbench.receiver.Receiver");
            Path session = sweeps.awaitStamps();
            LagbenchProcess.signal(sender, "STOP");
            LagbenchProcess.signal(receiver, signal);
            LagbenchProcess.awaitEnd(receiver);
            LagbenchProcess.signal(sender, "CONT");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            Path run = Sweeps.runs(session).get(0);
            RunRecord record = RunRecord.read(run);
            assertThat(record.state()).isEqualTo(RunRecord.State.INTERRUPTED);
            assertThat(record.failure())
                    .isEqualTo("Interrupted after " + Sweeps.stamps(run) + " of "
                            + record.point().packets() + " packets.");
            assertThat(sweep.err())
                    .contains("interrupted,")
                    .contains("Interrupted: 0 of 1 runs")
                    .doesNotContain("failed");
        }
    }

    /** The sender starts while the receiver does, which is stopped before it can listen. */
    @Test
    void reportsInterruptionThoughReceiverEndsBeforeSenderConnects() throws Exception {
        try (LagbenchProcess sweep = sweeps.start(Sweeps.LONG, "--set", "observe=events")) {
            ProcessHandle receiver = sweep.awaitChild("org.lagbench.receiver.Receiver");
            LagbenchProcess.signal(receiver, "STOP");
            ProcessHandle sender = sweep.awaitChild("org.lagbench.sender.Sender");
            LagbenchProcess.signal(sender, "STOP");
            LagbenchProcess.signal(receiver, "INT");
            LagbenchProcess.signal(receiver, "CONT");
            LagbenchProcess.awaitEnd(receiver);
            LagbenchProcess.signal(sender, "CONT");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(sweep.err()).contains("interrupted,").doesNotContain("failed");
        }
    }
}
