package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.run.CompressionSpec.DataKind;

class DataGeneratorTest {
    private static final int CHUNK_BYTES = 1 << 14;
    private static final int CHUNKS = 8;
    private static final int FILES = 16;
    private static final int LEVEL = 6;

    /** The average ratios of Hu's Table 1. */
    @ParameterizedTest
    @CsvSource({"TEXT, 4.0676", "POSTSCRIPT_LIKE, 3.8816", "BINARY, 2.0746", "PDF_LIKE, 1.1856", "JPEG_LIKE, 1.0075"})
    void compressesLikeTheDataOfTable1(DataKind kind, double ratio) {
        double average = IntStream.rangeClosed(1, FILES)
                .mapToDouble(seed -> ratio(DataGenerator.generate(kind, CHUNKS * CHUNK_BYTES, seed)))
                .average()
                .orElseThrow();
        assertThat(average).isCloseTo(ratio, withinPercentage(5));
    }

    @ParameterizedTest
    @CsvSource({
        "TEXT, 682bb3be",
        "HTML, 3dc45a9f",
        "BINARY, 10ed1389",
        "POSTSCRIPT_LIKE, 0197c210",
        "PDF_LIKE, bb171461",
        "JPEG_LIKE, 655a9b51",
        "RANDOM, e39ad072"
    })
    void generatesTheSameBytesOnEveryMachine(DataKind kind, String crc32c) {
        CRC32C checksum = new CRC32C();
        checksum.update(DataGenerator.generate(kind, CHUNKS * CHUNK_BYTES, 1));
        assertThat(checksum.getValue()).isEqualTo(Long.parseLong(crc32c, 16));
    }

    private static double ratio(ByteBuffer data) {
        byte[] encoded = new byte[2 * CHUNK_BYTES];
        long encodedBytes = 0;
        for (int at = 0; at < data.capacity(); at += CHUNK_BYTES) {
            Deflater deflater = new Deflater(LEVEL);
            deflater.setInput(data.limit(at + CHUNK_BYTES).position(at));
            deflater.finish();
            encodedBytes += deflater.deflate(encoded);
            deflater.end();
        }
        return (double) data.capacity() / encodedBytes;
    }
}
