package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CompressionSpec;

class ChunkDataTest {
    private CompressionSpec ofFile;

    @BeforeEach
    void writeFile(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("data");
        Files.write(file, new byte[] {0, 1, 2, 3, 4, 5, 6});
        ofFile = new CompressionSpec("none", file.toString());
    }

    /** Reading it would end only with its writer. */
    @Test
    void refusesPipe(@TempDir Path directory) throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        try (RandomAccessFile writer = new RandomAccessFile(pipe.toFile(), "rw")) { // so that no open waits for one
            assertThatThrownBy(() -> ChunkData.of(new CompressionSpec("none", pipe.toString()), 4, 3))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("is a pipe or a device; name a file");
            assertThat(writer.getChannel().isOpen()).isTrue();
        }
    }

    @Test
    void repeatsWholeChunksOfFileInEachTransfer() throws Exception {
        ChunkData data = ChunkData.of(ofFile, 4, 3);
        byte[][] parts = {{0, 1, 2}, {3, 4, 5}, {0, 1, 2}, {3, 4, 5}};
        for (int sequence = -4; sequence < 8; sequence++) {
            assertThat(data.chunk(sequence)).isEqualTo(ByteBuffer.wrap(parts[Math.floorMod(sequence, 4)]));
        }
    }

    @Test
    void refusesFileWithLessThanOneChunk() {
        assertThatThrownBy(() -> ChunkData.of(ofFile, 4, 8))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining(ofFile.data() + " has 7 bytes, less than a chunk of 8")
                .hasMessageContaining("use another file or smaller chunks");
    }
}
