package org.lagbench.core.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnedDirectoryTest {
    @TempDir
    private Path parent;

    @Test
    void deletesDirectoryAtEnd() throws Exception {
        Path path;
        try (OwnedDirectory directory = OwnedDirectory.create(parent, "a-")) {
            path = directory.path();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
        }

        assertThat(path).doesNotExist();
    }

    @Test
    void deletesDirectoryOfKilledProcess() throws Exception {
        Path left = hold("a-", true);

        try (OwnedDirectory next = OwnedDirectory.create(parent, "a-")) {
            assertThat(left).doesNotExist();
            assertThat(next.path()).isDirectory();
        }
    }

    @Test
    void keepsDirectoryOfLiveProcess() throws Exception {
        try (Holder holder = new Holder("a-")) {
            OwnedDirectory.create(parent, "a-").close();

            assertThat(holder.path).isDirectory();
        }
    }

    @Test
    void keepsOtherDirectoryOfThisProcess() throws Exception {
        try (OwnedDirectory first = OwnedDirectory.create(parent, "a-")) {
            OwnedDirectory.create(parent, "a-").close();
            assertThat(first.path()).isDirectory();

            hold("a-", false); // finds it locked still
            assertThat(first.path()).isDirectory();
        }
    }

    @Test
    void keepsDirectoryWithOtherPrefix() throws Exception {
        Path other = hold("b-", true);

        OwnedDirectory.create(parent, "a-").close();

        assertThat(other).isDirectory();
    }

    /** A process may be killed at any step. */
    @Test
    void deletesWhatIsHalfCreatedOrHalfDeleted() throws Exception {
        Path empty = Files.createDirectory(parent.resolve("a-1-0"));
        Path rest = Files.createDirectory(parent.resolve("a-1-1"));
        Files.createFile(rest.resolve("data"));

        OwnedDirectory.create(parent, "a-").close();

        assertThat(empty).doesNotExist();
        assertThat(rest).doesNotExist();
    }

    @Test
    void followsNoLink() throws Exception {
        Path target = Files.createDirectory(parent.resolve("target"));
        Files.createFile(target.resolve("owner"));
        Path link = Files.createSymbolicLink(parent.resolve("a-1-0"), target);

        OwnedDirectory.create(parent, "a-").close();

        assertThat(link).isSymbolicLink();
        assertThat(target.resolve("owner")).exists();
    }

    /** Lets another process create a directory, and ends it. */
    private Path hold(String prefix, boolean isKilled) throws Exception {
        try (Holder holder = new Holder(prefix)) {
            if (isKilled) {
                holder.process.destroyForcibly();
                assertThat(holder.process.waitFor()).isEqualTo(128 + 9);
            }
            return holder.path;
        }
    }

    /** A process with a directory. Closing lets it end. */
    private final class Holder implements AutoCloseable {
        final Process process;
        final Path path;

        Holder(String prefix) throws Exception {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            parent.toString(),
                            prefix)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            path = Path.of(process.inputReader().readLine());
            assertThat(path).isDirectory();
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.onExit().join();
        }
    }

    /** Holds a directory until its standard input ends. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            try (OwnedDirectory directory = OwnedDirectory.create(Path.of(arguments[0]), arguments[1])) {
                System.out.println(directory.path());
                System.in.readAllBytes();
            }
        }
    }
}
