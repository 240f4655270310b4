package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.runner.sweep.Child.ExitReport;

class SessionDirectoryTest {
    @Test
    void refusesSuccessWithoutRecord(@TempDir Path parent) throws Exception {
        Experiment experiment = new ExperimentReader(Transports.load(), Engines.load())
                .build("none", List.of("transports=udp", "packet-bytes=100", "seed=1"));
        RunGroup run = experiment.groups(1).get(0);
        Path directory;
        try (SessionDirectory session = SessionDirectory.create(parent, experiment, Instant.now())) {
            directory = session.directory();
            Child.ExitReport outcome = session.checkRecords(run, Child.ExitReport.ok());
            assertThat(outcome.exitCode()).isEqualTo(ExitCode.BROKEN);
            assertThat(outcome.sentence())
                    .isEqualTo("The sender ended without an error, but there is no record of a complete run in "
                            + session.runs().resolve(run.name()) + ".");
        }
        assertThat(Checksums.read(directory).damage(directory)).isEmpty();
        Files.writeString(directory.resolve("experiment.yaml"), "name: other\n");
        assertThat(Checksums.read(directory).damage(directory)).containsOnlyKeys("experiment.yaml");
    }

    /** A session whose experiment was cut off could not be resumed. */
    @Test
    void leavesNoPartOfExperimentOnFullDisk(@TempDir Path disk) throws Exception {
        Experiment experiment = new ExperimentReader(Transports.load(), Engines.load())
                .build("none", List.of("transports=udp", "packet-bytes=100", "seed=1"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=4k,mode=700", "tmpfs", disk.toString()) == 0, "no mount");
        try {
            Files.write(disk.resolve("other"), new byte[4096]);
            Path directory = disk.resolve("session");

            assertThatThrownBy(() -> SessionDirectory.createIn(directory, experiment))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("No space left");

            assertThat(SessionDirectory.isSession(directory)).isFalse();
            assertThatThrownBy(() -> SessionDirectory.create(disk, experiment, Instant.EPOCH))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("No space left");
            assertThat(disk).isDirectoryNotContaining("glob:**none*");

            Files.delete(disk.resolve("other"));
            assertThat(run("mount", "-o", "remount,size=1m", disk.toString())).isZero();
            SessionDirectory.createIn(directory, experiment).close();
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    @Test
    void knowsStampsOfBrokenRuns(@TempDir Path directory) throws Exception {
        Experiment experiment = new ExperimentReader(Transports.load(), Engines.load())
                .build("none", List.of("transports=udp", "packet-bytes=100", "seed=1"));
        RunSpec spec = experiment.groups(1).get(0).runs().get(0);
        try (SessionDirectory session = SessionDirectory.createIn(directory, experiment)) {
            Path run = Files.createDirectories(session.runs().resolve(spec.name()));
            try (SenderCapture stamps = SenderCapture.create(run.resolve(SenderCapture.FILE_NAME), 2, false)) {
                session.markBroken(spec, new ExitReport(ExitCode.BROKEN, "The network failed."), Instant.now());
                assertThat(session.hasBrokenRun()).isFalse();
                stamps.append(0, 1, 2, 3);
            }
            assertThat(session.hasBrokenRun()).isTrue();
        }
    }

    /** Its owner could replace a directory of the session by a link while root writes there. */
    @Test
    void refusesToWriteAsRootToSessionOfAnotherUser(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("experiment.yaml"), "name: other\n");
        SessionDirectory.open(directory).close();
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid")), "not root");
        Files.setAttribute(directory, "unix:uid", 65_534);

        assertThatThrownBy(() -> SessionDirectory.open(directory))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("belongs to another user");
    }
}
