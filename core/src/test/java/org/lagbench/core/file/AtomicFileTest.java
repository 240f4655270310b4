package org.lagbench.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class AtomicFileTest {
    @TempDir
    Path directory;

    @Test
    void replacesExistingFile() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "before, and longer");

        AtomicFile.write(file, "± after");

        assertThat(file).hasContent("± after");
        assertThat(directory).isDirectoryContaining(file::equals);
        assertThat(directory.toFile().list()).containsExactly("file");
    }

    @Test
    void leavesNoPartialFileAfterFailure() throws Exception {
        Path inTheWay =
                Files.createDirectories(directory.resolve("file/not empty")).getParent();

        assertThatThrownBy(() -> AtomicFile.write(inTheWay, "text"))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES))
                .hasMessageContaining(inTheWay + " cannot be written");

        assertThat(directory.toFile().list()).containsExactly("file");
    }
}
