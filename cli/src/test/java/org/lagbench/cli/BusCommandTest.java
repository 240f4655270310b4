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

/** Runs a shell, which opens device files, on a virtual bus. */
@Tag("one-java")
class BusCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void returnsExitCodeOfCommandOnBusAndRemovesItsDirectory() throws Exception {
        Path place = directory.resolve("bus");
        String command = "exec 3<>/dev/fw2 && ls " + place + " && exit 7";
        try (LagbenchProcess bus = LagbenchProcess.run(
                directory, "bus", "--nodes", "3", "--directory", place.toString(), "sh", "-c", command)) {
            assertThat(bus.exitCode()).as(bus.err()).isEqualTo(7);
            assertThat(bus.out()).isNotEmpty();
            assertThat(place).doesNotExist();
        }
    }

    @Test
    void printsEnvironmentForOtherPrograms() throws Exception {
        try (LagbenchProcess bus = LagbenchProcess.start(directory, "bus")) {
            await().atMost(Duration.ofSeconds(90)).until(() -> bus.out().contains("Ctrl-C"));
            String exports = String.join(
                    "\n",
                    bus.out()
                            .lines()
                            .filter(line -> line.startsWith("  export "))
                            .toList());
            Process shell = new ProcessBuilder("sh", "-c", exports + "\nexec sh -c 'exec 3<>/dev/fw0'").start();
            assertThat(shell.waitFor()).isZero();

            List<ProcessHandle> children = bus.children();
            assertThat(children).hasSize(1);
            bus.signal("INT");
            assertThat(bus.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(children).noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    void endsDaemonWhenCommandIsKilled() throws Exception {
        try (LagbenchProcess bus = LagbenchProcess.start(directory, "bus", "--directory", "bus")) {
            await().atMost(Duration.ofSeconds(90)).until(() -> bus.out().contains("Ctrl-C"));
            List<ProcessHandle> children = bus.children();
            bus.signal("KILL");

            await().atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
            assertThat(Files.exists(directory.resolve("bus"))).isFalse();
        }
    }

    @Test
    void reportsKilledDaemon() throws Exception {
        try (LagbenchProcess bus = LagbenchProcess.start(directory, "bus")) {
            bus.awaitOut("Ctrl-C");
            LagbenchProcess.signal(bus.awaitChild("lagbench-busd"), "KILL");

            assertThat(bus.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(bus.err()).contains("lagbench: The virtual bus ended by signal 9");
        }
    }

    @Test
    void rejectsMissingCommand() throws Exception {
        try (LagbenchProcess bus = LagbenchProcess.run(directory, "bus", "no-such-program", "--help")) {
            assertThat(bus.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(bus.err()).contains("no-such-program").doesNotContain("\tat ");
        }
    }
}
