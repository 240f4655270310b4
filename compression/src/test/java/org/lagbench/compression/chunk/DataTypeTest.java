package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.compression.chunk.AdaptiveChooser.DataType;
import org.lagbench.core.run.CompressionSpec.DataKind;

class DataTypeTest {
    private static final int CHUNK_BYTES = 1 << 14;

    private final DataType types = new DataType();

    /** The entropy of n equally frequent bytes is log2 n bits. */
    @ParameterizedTest
    @CsvSource({"1, 0", "3, 1", "6, 2", "12, 3", "24, 4", "48, 5", "96, 6", "192, 7"})
    void equalsTheEntropyOfTheBytes(int distinct, int type) {
        byte[] bytes = new byte[1_024];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i % distinct + 64);
        }
        assertThat(types.of(ByteBuffer.wrap(bytes))).isEqualTo(type);
    }

    /** English-like text has about 4 bits per byte, coordinates about 4, and compressed data almost 8. */
    @ParameterizedTest
    @CsvSource({"TEXT, 3, 4", "HTML, 4, 5", "BINARY, 3, 5", "POSTSCRIPT_LIKE, 3, 4"})
    void isNotDenseForCompressibleData(DataKind kind, int min, int max) {
        for (int seed = 0; seed < 10; seed++) {
            assertThat(types.of(DataGenerator.generate(kind, CHUNK_BYTES, seed)))
                    .isBetween(min, max);
        }
    }

    @ParameterizedTest
    @CsvSource({"PDF_LIKE", "JPEG_LIKE", "RANDOM"})
    void isDenseForCompressedData(DataKind kind) {
        for (int seed = 0; seed < 10; seed++) {
            assertThat(types.of(DataGenerator.generate(kind, CHUNK_BYTES, seed)))
                    .isEqualTo(DataType.DENSE);
        }
    }

    @Test
    void readsOnlyTheChunk() {
        ByteBuffer chunk = DataGenerator.generate(DataKind.RANDOM, 3 * CHUNK_BYTES, 1);
        chunk.put(CHUNK_BYTES, new byte[CHUNK_BYTES]);
        chunk.limit(2 * CHUNK_BYTES).position(CHUNK_BYTES);

        assertThat(types.of(chunk)).isZero();
        assertThat(chunk.position()).isEqualTo(CHUNK_BYTES);
        assertThat(chunk.limit()).isEqualTo(2 * CHUNK_BYTES);
    }
}
