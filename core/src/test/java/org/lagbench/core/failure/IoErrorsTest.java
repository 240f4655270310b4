package org.lagbench.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoErrorsTest {
    @TempDir
    Path directory;

    @Test
    void describesOperatingSystemErrors() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThat(reason(() -> Files.readString(directory.resolve("none"))))
                .isEqualTo("there is no such file or directory");
        assertThat(reason(() -> Files.createDirectory(file))).isEqualTo("something else is in its place");
        assertThat(reason(() -> {
                    throw new NotDirectoryException("file");
                }))
                .isEqualTo("it is not a directory");
        assertThat(reason(() -> Files.createDirectory(file.resolve("below")))).isEqualTo("Not a directory");
        assertThat(reason(() -> Files.writeString(Path.of("/dev/full"), "x"))).isEqualTo("No space left on device");
        assertThat(reason(() -> {
                    throw new IOException();
                }))
                .isEqualTo("no reason is known");
        assertThat(reason(() -> {
                    throw new EOFException();
                }))
                .isEqualTo("it ended early");
        assertThat(reason(() -> {
                    throw new CharacterCodingException();
                }))
                .isEqualTo("character coding");
    }

    @Test
    void explainsNativeLibraryOfAnotherBuild() {
        LagbenchException explained = Failures.explain(new UnsatisfiedLinkError("'long stamp(int)'"));

        assertThat(explained).isNotNull();
        assertThat(explained.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(explained.sentence())
                .contains("of different builds ('long stamp(int)'); build both again", "or use engine: java-nio.");
    }

    private static String reason(Attempt attempt) throws Exception {
        try {
            attempt.make();
        } catch (IOException e) {
            return IoErrors.reason(e);
        }
        throw new AssertionError("it was expected to fail");
    }

    private interface Attempt {
        void make() throws Exception;
    }
}
