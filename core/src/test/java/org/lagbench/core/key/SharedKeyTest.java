package org.lagbench.core.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 63, 64, 65, 200})
    void makesHmacOfKeyOfAnyLength(int keyBytes) throws Exception {
        byte[] secret = new byte[keyBytes];
        new Random(keyBytes).nextBytes(secret);
        Mac expected = Mac.getInstance("HmacSHA256");
        expected.init(new SecretKeySpec(secret, "HmacSHA256"));
        expected.update(new byte[] {0, 0, 0, 2, 7, 9, 0, 0, 0, 0, 0, 0, 0, 1, 5});

        assertThat(new SharedKey(secret).mac(new byte[] {7, 9}, new byte[0], new byte[] {5}))
                .isEqualTo(expected.doFinal());
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

    /** Another user could replace the file or a link to it, or rename a directory on the way. */
    @ParameterizedTest
    @CsvSource({
        "open/key, open", // the file itself
        "link-to-file, open", // a link from a private directory
        "open/link, open", // a link that others can replace, to a file that they cannot
        "open/link-to-directory/key, open",
        "private/../open/link, open",
        "chain, open", // a private link to a link that others can replace
        "open/own/key, open", // a private directory in one of others
    })
    void refusesKeyThatOthersReplace(String named, String writable) throws Exception {
        Path open = Files.createDirectory(directory.resolve("open"));
        Path own = Files.createDirectory(open.resolve("own"));
        Path hidden = Files.createDirectory(directory.resolve("private"));
        for (Path parent : new Path[] {open, own, hidden}) {
            Files.copy(
                    keyFile(SharedKey.newText(), "rw-------"),
                    parent.resolve("key"),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createSymbolicLink(directory.resolve("link-to-file"), open.resolve("key"));
        Files.createSymbolicLink(open.resolve("link"), hidden.resolve("key"));
        Files.createSymbolicLink(open.resolve("link-to-directory"), hidden);
        Files.createSymbolicLink(directory.resolve("chain"), Path.of("open/link"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> SharedKey.read(directory.resolve(named)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("is in " + directory.toRealPath().resolve(writable)
                        + ", in which other users can replace files");
    }

    /** Only root can be another user here. */
    @ParameterizedTest
    @CsvSource({
        "of-other/key, is in %s/of-other", // the directory's owner renames the file
        "of-other/own/key, is in %s/of-other", // or the directory above it
        "sticky/link, is behind the link %s/sticky/link of another user", // or makes another link
        "private/link, is behind the link %s/private/link of another user",
    })
    void refusesKeyBelowAnotherUser(String named, String reason) throws Exception {
        Path other = Files.createDirectory(directory.resolve("of-other"));
        Path own = Files.createDirectory(other.resolve("own"));
        Path hidden = Files.createDirectory(directory.resolve("private"));
        Path sticky = Files.createDirectory(directory.resolve("sticky"));
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(other, "unix:uid")), "not root");
        for (Path parent : new Path[] {other, own, hidden}) {
            Files.copy(
                    keyFile(SharedKey.newText(), "rw-------"),
                    parent.resolve("key"),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.setAttribute(sticky, "unix:mode", 01777);
        Files.setAttribute(other, "unix:uid", 65_534);
        for (Path parent : new Path[] {sticky, hidden}) {
            Path link = Files.createSymbolicLink(parent.resolve("link"), hidden.resolve("key"));
            Files.setAttribute(link, "unix:uid", 65_534, LinkOption.NOFOLLOW_LINKS);
        }

        assertThatThrownBy(() -> SharedKey.read(directory.resolve(named)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining(reason.formatted(directory.toRealPath()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"key", "link", "up", "sticky/key", "sticky/link", "of-link/key"})
    void acceptsLinksThatOnlyTrustedUsersReplace(String named) throws Exception {
        String text = SharedKey.newText();
        Path key = Files.move(keyFile(text, "rw-------"), directory.resolve("key"));
        Path sticky = Files.createDirectory(directory.resolve("sticky"));
        Files.setAttribute(sticky, "unix:mode", 01777);
        Files.copy(key, sticky.resolve("key"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createSymbolicLink(directory.resolve("link"), key);
        Files.createSymbolicLink(directory.resolve("up"), Path.of("sticky/../././key"));
        Files.createSymbolicLink(sticky.resolve("link"), Path.of("../link"));
        Files.createSymbolicLink(directory.resolve("of-link"), Path.of("sticky"));

        assertThat(SharedKey.read(directory.resolve(named))).isEqualTo(SharedKey.parse("typed", text));
    }

    @Test
    void refusesLoopOfLinks() throws Exception {
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));

        assertThatThrownBy(() -> SharedKey.read(loop))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("The key file " + loop + " cannot be read");
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
