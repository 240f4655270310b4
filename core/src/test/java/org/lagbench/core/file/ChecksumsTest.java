package org.lagbench.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class ChecksumsTest {
    @TempDir
    private Path directory;

    /** The CRC-32 of "123456789" is the check value that catalogs of CRCs list. */
    @Test
    void computesCrc32OfZlib() throws Exception {
        write("a.npy", "123456789".getBytes(StandardCharsets.US_ASCII));
        Checksums.add(directory, List.of("a.npy"));
        assertThat(Checksums.read(directory).files())
                .isEqualTo(Map.of("a.npy", new Checksums.FileChecksums(9, List.of("cbf43926"))));
    }

    @Test
    void findsDamageAndNamesItsPlace() throws Exception {
        byte[] bytes = new byte[2 * Checksums.BLOCK_BYTES + 100];
        new Random(1).nextBytes(bytes);
        write("long.npy", bytes);
        write("empty.npy", new byte[0]);
        Checksums.add(directory, List.of("long.npy", "empty.npy"));
        assertThat(damage()).isEmpty();

        bytes[Checksums.BLOCK_BYTES + 5] ^= 4;
        write("long.npy", bytes);
        assertThat(damage())
                .isEqualTo(Map.of("long.npy", "is damaged: its checksums differ from byte 1048576 to byte 2097151"));
        bytes[bytes.length - 1] ^= 4;
        write("long.npy", bytes);
        assertThat(damage())
                .isEqualTo(Map.of("long.npy", "is damaged: its checksums differ from byte 1048576 to byte 2097251"));
        write("long.npy", new byte[7]);
        write("empty.npy", new byte[1]);
        assertThat(damage())
                .isEqualTo(Map.of(
                        "long.npy", "is cut off: it has 7 bytes in place of 2097252",
                        "empty.npy", "has grown: it has 1 bytes in place of 0"));
        Files.delete(directory.resolve("long.npy"));
        Files.delete(directory.resolve("empty.npy"));
        Files.createDirectory(directory.resolve("empty.npy"));
        assertThat(damage().get("long.npy")).isEqualTo("is missing");
        assertThat(damage()).containsKey("empty.npy");
    }

    @Test
    void addsOnlyFilesWithoutChecksums() throws Exception {
        write("a.npy", new byte[1]);
        Checksums.add(directory, List.of("a.npy"));
        write("a.npy", new byte[2]);
        write("b.npy", new byte[2]);
        Checksums.add(directory, List.of("a.npy", "b.npy"));
        assertThat(damage()).isEqualTo(Map.of("a.npy", "has grown: it has 2 bytes in place of 1"));
    }

    @Test
    void rewritesFileWithItsChecksums() throws Exception {
        Path file = write("run.json", new byte[3]);
        Checksums.rewrite(file, "without checksums");
        assertThat(Checksums.read(directory)).isNull();
        Checksums.add(directory, List.of("run.json"));
        Checksums.rewrite(file, "new content");
        assertThat(damage()).isEmpty();
        assertThat(file).hasContent("new content");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"format\":\"lagbench-checksums-2\",\"blockBytes\":1,\"files\":{}}",
                "{FORMAT,\"blockBytes\":0,\"files\":{}}",
                "{FORMAT,\"blockBytes\":8,\"files\":null}",
                "{FORMAT,\"blockBytes\":8,\"files\":{\"../a\":{\"bytes\":0,\"blocks\":[]}}}",
                "{FORMAT,\"blockBytes\":8,\"files\":{\"a\":{\"bytes\":9,\"blocks\":[\"00000000\"]}}}",
                "{FORMAT,\"blockBytes\":8,\"files\":{\"a\":{\"bytes\":8,\"blocks\":[\"0\"]}}}",
                "{FORMAT,\"blockBytes\":8,\"files\":{\"a\":{\"bytes\":8,\"blocks\":[null]}}}",
            })
    void refusesInvalidChecksumFiles(String content) throws Exception {
        String whole = content.replace("FORMAT", "\"format\":\"lagbench-checksums-1\"");
        Path file = write(Checksums.FILE_NAME, whole.getBytes(StandardCharsets.US_ASCII));
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> Checksums.read(directory))
                .withMessageStartingWith(file.toString())
                .satisfies(e -> assertThat(e.sentence()).doesNotContain("lagbench.core"))
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
    }

    private Map<String, String> damage() throws LagbenchException {
        return Checksums.read(directory).damage(directory);
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes);
    }
}
