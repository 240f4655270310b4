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
import org.lagbench.core.failure.ExitCode;

/** Signals to a monitor on this machine, and to its receiver. */
@Tag("one-java")
class MonitorReceiverTest {
    private static final String RECEIVER = "org.lagbench.receiver.Receiver";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    private LagbenchProcess start() throws Exception {
        return LagbenchProcess.start(directory, "monitor", file().toString(), "--output", directory.toString());
    }

    private Path file() throws Exception {
        return Files.writeString(
                directory.resolve("weather.yaml"),
                """
                monitor:
                  every: 1s
                  for: unlimited
                  probes:
                    - {name: ping, transports: tcp, traffic: round-trip, packet-bytes: 2, packets: 1,
                       warm-up-packets: 1, pace: flood, observe: none, drain: 0s}
                """);
    }

    @Test
    void reportsInterruptionBeforeReceiverListens() throws Exception {
        try (LagbenchProcess monitor = start()) {
            monitor.awaitChild(RECEIVER);
            monitor.signal("TERM");
            assertThat(monitor.exitCode()).as(monitor.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(monitor.err()).doesNotContain("did not start");
        }
    }

    @Test
    void startsInterruptedReceiverAgain() throws Exception {
        try (LagbenchProcess monitor = start()) {
            await().atMost(Duration.ofMinutes(2)).until(() -> isListening(monitor));
            LagbenchProcess.signal(monitor.awaitChild(RECEIVER), "TERM");
            monitor.awaitErr("receiver on this machine: it was interrupted; it is started again.");
            monitor.awaitChild(RECEIVER);
            monitor.signalGroup("INT");
            assertThat(monitor.exitCode()).as(monitor.err()).isEqualTo(ExitCode.INTERRUPTED.code());
        }
    }

    @Test
    void leavesNoTemporaryFilesOfLab() throws Exception {
        Namespaces.assumeCreatable();
        Path temporary = Files.createDirectory(directory.resolve("temporary"));
        try (LagbenchProcess monitor = LagbenchProcess.startWith(
                List.of("-Djava.io.tmpdir=" + temporary),
                directory,
                "monitor",
                file().toString(),
                "--for=1s",
                "--set=lab={delay: 1ms}",
                "--output=" + directory)) {
            assertThat(monitor.exitCode()).as(monitor.err()).isZero();
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void reportsKilledMonitorInLab() throws Exception {
        Namespaces.assumeCreatable();
        try (LagbenchProcess monitor = LagbenchProcess.start(
                directory, "monitor", file().toString(), "--set=lab={delay: 1ms}", "--output=" + directory)) {
            LagbenchProcess.signal(monitor.awaitChild("--in-lab"), "KILL");

            assertThat(monitor.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(monitor.err()).contains("lagbench: The monitor in the lab ended by signal 9");
        }
    }

    /** The monitor describes its series when its receiver listens. */
    private boolean isListening(LagbenchProcess monitor) {
        return !monitor.hasEnded() && monitor.out().contains("a value every");
    }
}
