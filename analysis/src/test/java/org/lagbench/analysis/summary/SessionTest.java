package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class SessionTest {
    private final Path directory;

    SessionTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void opensASessionItsRunsDirectoryOrOneRun() throws Exception {
        SessionFixture fixture = new SessionFixture(directory.resolve("sweep-20261120T000000Z"));
        fixture.run("0002-udp-24-r1", "udp", 24).sent(0).write();
        Path run = fixture.run("0001-tcp-24-r1", "tcp", 24).sent(0).write();
        Session session = Session.open(fixture.path());
        assertThat(session.name()).isEqualTo("sweep-20261120T000000Z");
        assertThat(session.runs()).extracting(RunDirectory::name).containsExactly("0001-tcp-24-r1", "0002-udp-24-r1");
        Session runs = Session.open(fixture.path().resolve("runs"));
        assertThat(runs.name()).isEqualTo(session.name());
        assertThat(runs.runs()).isEqualTo(session.runs());
        Session one = Session.open(run);
        assertThat(one.name()).isEqualTo("0001-tcp-24-r1");
        assertThat(one.runs()).hasSize(1);
    }

    @Test
    void rejectsAPathThatIsNoSession() throws IOException {
        assertRejected(directory.resolve("nowhere"), "There is no directory ");
        Path file = Files.createFile(directory.resolve("file"));
        assertRejected(file, " is a file; give the directory of a session or of a run.");
        assertRejected(directory, " is neither the directory of a session (it has no folder runs) nor of a run");
        Path empty = Files.createDirectories(directory.resolve("empty"));
        Files.createDirectories(empty.resolve("runs"));
        assertRejected(empty, "There is no run in ");
    }

    private static void assertRejected(Path path, String sentence) {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> Session.open(path))
                .withMessageContaining(sentence)
                .withMessageContaining(path.toString())
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
    }
}
