package org.lagbench.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.LagbenchException;

class SharedKeyTest {
    @TempDir
    Path directory;

    @Test
    void ignoresSurroundingWhiteSpace() throws Exception {
        SharedKey plain = SharedKey.read(keyFile("0123456789abcdef", "rw-------"));
        SharedKey padded = SharedKey.read(keyFile("  0123456789abcdef\n", "rw-------"));

        assertThat(padded).isEqualTo(plain);
    }

    @Test
    void refusesKeyReadableByOthers() throws Exception {
        Path file = keyFile("0123456789abcdef", "rw-r-----");

        assertThatThrownBy(() -> SharedKey.read(file))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("chmod 600 " + file);
    }

    @Test
    void refusesShortKey() throws Exception {
        Path file = keyFile("0123456789abcde", "rw-------");

        assertThatThrownBy(() -> SharedKey.read(file))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("shorter than 16 bytes");
    }

    @Test
    void generatesDifferentKeysForFiles() throws Exception {
        String text = SharedKey.newText();

        assertThat(text).matches("[0-9a-f]{32}").isNotEqualTo(SharedKey.newText());
        assertThat(SharedKey.parse("typed", text + "\n")).isEqualTo(SharedKey.read(keyFile(text, "rw-------")));
        assertThatThrownBy(() -> SharedKey.parse("typed", "short"))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("typed: the key is shorter than 16 bytes");
    }

    @Test
    void namesMissingKey() {
        assertThatThrownBy(() -> SharedKey.read(directory.resolve("none")))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("none");
    }

    private Path keyFile(String content, String permissions) throws IOException {
        Path file = Files.writeString(directory.resolve("key" + content.length()), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
