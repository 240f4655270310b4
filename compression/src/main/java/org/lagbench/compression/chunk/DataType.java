package org.lagbench.compression.chunk;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Classifies chunks by the entropy of a sample of their bytes. Allocates nothing. Not thread-safe. */
final class DataType {
    /** The number of types. A type is the entropy in bits per byte, rounded down to a whole number. */
    static final int COUNT = 8;

    /** The type of data that hardly compresses. */
    static final int DENSE = COUNT - 1;

    private static final int SAMPLE_BYTES = 1 << 10;

    private final int[] counts = new int[1 << Byte.SIZE];
    private final double[] bits = new double[SAMPLE_BYTES + 1];

    DataType() {
        for (int count = 1; count <= SAMPLE_BYTES; count++) {
            bits[count] = count * Math.log(count) / Math.log(2);
        }
    }

    /** Returns the type of the data between the buffer's position and limit. */
    int of(ByteBuffer chunk) {
        int sample = Math.min(SAMPLE_BYTES, chunk.remaining());
        int step = chunk.remaining() / sample;
        Arrays.fill(counts, 0);
        for (int i = 0; i < sample; i++) {
            counts[chunk.get(chunk.position() + i * step) & 0xff]++;
        }
        double sum = 0;
        for (int count : counts) {
            sum += bits[count];
        }
        return Math.max(0, Math.min(DENSE, (int) ((bits[sample] - sum) / sample)));
    }
}
