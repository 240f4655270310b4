package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;

/** Reads sessions that somebody else has made. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
}
