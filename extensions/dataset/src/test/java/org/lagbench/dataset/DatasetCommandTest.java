package org.lagbench.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.cli.Captures;
import org.lagbench.cli.CommandOptions;
import org.lagbench.cli.CommandResult;
import org.lagbench.cli.LagbenchProcess;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.SessionId;

class DatasetCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void addsAndReplacesSessions() throws Exception {
        Path session = session();
        String fleet = directory.resolve("fleet").toString();

        CommandResult added = CommandResult.of("dataset", fleet, session.toString());
        assertThat(added.exitCode()).as(added.err()).isZero();
        assertThat(added.out()).matches("session [0-9a-f-]{36}: 100 rows\n");

        CommandResult again = CommandResult.of("dataset", fleet, session.toString());
        assertThat(again.out()).endsWith(": 100 rows, instead of those of its earlier export\n");
    }

    @Test
    void hasOptionsThatDocumentationMayName() throws Exception {
        assertThat(Path.of("options.txt")).hasContent(CommandOptions.of("dataset"));
    }

    @Test
    void needsSessions() {
        CommandResult none =
                CommandResult.of("dataset", directory.resolve("fleet").toString());
        assertThat(none.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(none.err()).contains("DIR");
    }

    /** Query engines run as other users. */
    @Test
    void letsOthersReadDataset() throws Exception {
        Path session = session();
        List<String> shell = List.of("bash", "-c", "umask 077; unset LAGBENCH_UMASK; exec \"$@\"", "bash");
        try (LagbenchProcess dataset =
                LagbenchProcess.runBy(shell, directory, "dataset", "new/fleet", session.toString())) {
            assertThat(dataset.err()).isEmpty();
        }
        assertThat(permissions(directory.resolve("new/fleet/runs"))).isEqualTo("rwxr-xr-x");
        try (Stream<Path> files = Files.walk(directory.resolve("new/fleet"))) {
            assertThat(files.filter(Files::isRegularFile)).hasSize(6).allSatisfy(file -> assertThat(permissions(file))
                    .isEqualTo("rw-r--r--"));
        }
    }

    @Test
    void namesExhaustedMemory() throws Exception {
        Path session = Captures.session(directory, 1_000);
        try (LagbenchProcess export = LagbenchProcess.startWith(
                List.of("-XX:MaxDirectMemorySize=64k"),
                directory,
                "export",
                session.toString(),
                "--format",
                "parquet")) {
            assertThat(export.exitCode()).as(export.err()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(export.err())
                    .isEqualToIgnoringNewLines("lagbench: This JVM has too little memory: its direct memory is full;"
                            + " increase it with -XX:MaxDirectMemorySize.");
        }
        assertThat(session.resolve("export/0001-udp-24-r1.parquet")).doesNotExist();
        assertThat(session.resolve("export/.0001-udp-24-r1.parquet.partial")).doesNotExist();
    }

    private Path session() throws Exception {
        Path session = Captures.session(directory, 100);
        SessionId.create(session, Instant.parse("2026-11-20T00:00:00Z"));
        return session;
    }

    private static String permissions(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
