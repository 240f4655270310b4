package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;

/** Reads sessions that somebody else has made. */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionFilesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    /** A pipe would block the reader, a device never ends, and a link leads out of the session. */
    @ParameterizedTest
    @ValueSource(strings = {"mkfifo P", "ln -s /dev/zero P", "ln -s ../elsewhere P", "mknod P c 1 5"})
    void refusesWhatIsNeitherFileNorDirectory(String command) throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        for (String name :
                List.of("runs/0001-udp-24-r1/run.json", "runs/0001-udp-24-r1/sender.npy", "figures", "series.json")) {
            Path copy = Captures.session(directory.resolve(name.replace('/', '-')), 3);
            Files.writeString(copy.resolve("experiment.yaml"), "transports: udp\n");
            Files.deleteIfExists(copy.resolve(name));
            Process made = new ProcessBuilder(
                            "sh", "-c", command.replace("P", copy.resolve(name).toString()))
                    .inheritIO()
                    .start();
            assertThat(made.waitFor()).isZero();
            for (String reader :
                    List.of("table", "report", "figures", "export --format csv", "verify", "sweep --resume")) {
                CommandResult result = CommandResult.of((reader + " " + copy).split(" "));
                assertThat(result.exitCode()).as(reader + result.out()).isEqualTo(ExitCode.FILES.code());
                assertThat(result.err()).contains(name + " cannot be used: it is a link, a pipe or a device");
            }
        }
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void readsNewestSessionOfDirectory() throws Exception {
        for (String name : List.of("b-new", "a-old")) {
            Captures.session(directory.resolve(name), 1_000L);
            Path experiment =
                    Files.writeString(directory.resolve(name).resolve("experiment.yaml"), "transports: udp\n");
            Files.setLastModifiedTime(experiment, FileTime.fromMillis(name.equals("b-new") ? 2_000 : 1_000));
        }

        CommandResult table =
                CommandResult.of("table", directory.resolve("latest").toString());

        assertThat(table.exitCode()).as(table.err()).isZero();
        assertThat(table.err()).isEqualTo("Session: " + directory.resolve("b-new") + "\n");
        assertThat(CommandResult.of("table", "latest").err()).doesNotContain("There is no session in :");
    }

    /** The other user could replace a directory by a link while root writes, so that root writes elsewhere. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "report DIR",
                "report DIR --output DIR/runs/lag.html",
                "figures DIR",
                "export --format csv DIR",
                "table DIR --write",
                "sweep --resume DIR"
            })
    void writesNothingAsRootToSessionOfAnotherUser(String command) throws Exception {
        Path session = Captures.session(directory.resolve("session"), 3);
        Files.writeString(session.resolve("experiment.yaml"), "transports: udp\n");
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(session, "unix:uid")), "not root");
        Files.setAttribute(session, "unix:uid", 65_534);
        List<Path> before = files(session);

        CommandResult result =
                CommandResult.of(command.replace("DIR", session.toString()).split(" "));

        assertThat(result.exitCode()).as(result.out()).isEqualTo(ExitCode.FILES.code());
        assertThat(result.err()).contains(session + " belongs to another user, who could make root write elsewhere");
        assertThat(files(session)).isEqualTo(before);
        assertThat(CommandResult.of("table", session.toString()).exitCode()).isZero();
    }

    private static List<Path> files(Path directory) throws Exception {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.sorted().toList();
        }
    }
}
