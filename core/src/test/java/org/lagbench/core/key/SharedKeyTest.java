package org.lagbench.core.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.LagbenchException;

class SharedKeyTest {
    @TempDir
    Path directory;

    @Test
    void ignoresSurroundingWhiteSpace() throws Exception {
        String text = SharedKey.newText();
        SharedKey plain = SharedKey.read(keyFile(text, "rw-------"));
        SharedKey padded = SharedKey.read(keyFile("  " + text + "\n", "rw-------"));

        assertThat(padded).isEqualTo(plain);
    }

    @Test
    void refusesKeyReadableByOthers() throws Exception {
        Path file = keyFile("0123456789abcdef", "rw-r-----");

        assertThatThrownBy(() -> SharedKey.read(file))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("chmod 600 " + file);
    }

    /** Another user could have made the file, and so know the key. Only root can be another user here. */
    @Test
    void refusesKeyOfAnotherUser() throws Exception {
        Path file = keyFile(SharedKey.newText(), "rw-------");
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(file, "unix:uid")), "not root");
        Files.setAttribute(file, "unix:uid", 65_534);

        assertThatThrownBy(() -> SharedKey.read(file))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("belongs to another user");
    }

    /** Another user could replace the file; also if a link from a private directory names it. */
    @Test
    void refusesKeyInDirectoryOfOthers() throws Exception {
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path file = keyFile(SharedKey.newText(), "rw-------");
        Path moved = Files.move(file, open.resolve("key"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), moved);

        for (Path named : new Path[] {moved, link}) {
            assertThatThrownBy(() -> SharedKey.read(named))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("is in " + open.toRealPath() + ", in which other users can replace files");
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesPipeInsteadOfFile() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", pipe.toString())
                        .start()
                        .waitFor())
                .isZero();

        assertThatThrownBy(() -> SharedKey.read(pipe))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("is not a regular file");
    }

    /** A stranger gets proofs, and can try keys by them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0123456789abcde",
                "0123456789abcdef0123456789abcde",
                "00000000000000000000000000000000",
                "correct horse battery staple",
                "correcthorsebatterystaple"
            })
    void refusesWeakKey(String weak) throws Exception {
        Path file = keyFile(weak, "rw-------");

        assertThatThrownBy(() -> SharedKey.read(file))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("is not 128 random bits")
                .hasMessageContaining("head -c 24 /dev/urandom | base64");
        assertThatThrownBy(() -> SharedKey.parse("typed", weak))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("typed: the key is not 128 random bits")
                .hasMessageContaining("serve --new-key");
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 18, 24, 32})
    void acceptsRandomKeys(int bytes) throws Exception {
        byte[] random = new byte[bytes];
        new Random(bytes).nextBytes(random);

        assertThat(SharedKey.parse("typed", Base64.getEncoder().encodeToString(random)))
                .isNotNull();
        assertThat(SharedKey.parse("typed", HexFormat.of().formatHex(random))).isNotNull();
    }

    @Test
    void generatesDifferentKeysForFiles() throws Exception {
        String text = SharedKey.newText();

        assertThat(text).matches("[0-9a-f]{32}").isNotEqualTo(SharedKey.newText());
        assertThat(SharedKey.parse("typed", text + "\n")).isEqualTo(SharedKey.read(keyFile(text, "rw-------")));
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
