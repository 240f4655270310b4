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
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;

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
