package org.lagbench.compression.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.CodecChoice;
import org.lagbench.core.model.CodecLibrary;
import org.lagbench.core.model.DataKind;

/** Measures the speed and ratio of codecs in memory, chunk by chunk, as Hu (2003) did for Table 1. */
public final class CodecMeter {
    /** The repetitions of each file, as in the paper. */
    public static final int TIMES = 6;

    private static final double NS_PER_S = 1e9;

    private CodecMeter() {}

    /**
     * The speed and ratio of each file.
     *
     * @param bytesPerS raw bytes per second of compression, on average of the repetitions
     * @param ratios raw bytes per encoded byte
     */
    public record Measurements(List<Double> bytesPerS, List<Double> ratios) {}

    /**
     * Compresses generated files.
     *
     * @param files their number; file n is generated from the seed n
     * @param fileBytes size of each, a multiple of the chunks' size
     * @throws LagbenchException if the codec's library cannot be loaded
     */
    public static Measurements measure(CodecChoice choice, DataKind kind, int files, int fileBytes, int chunkBytes)
            throws IOException, LagbenchException {
        ByteBuffer to = ByteBuffer.allocateDirect(choice.codec().maximumBytes(chunkBytes));
        double[] bytesPerS = new double[files];
        double[] ratios = new double[files];
        try (Codec.Encoder encoder = CodecLibrary.openEncoder(choice)) {
            compress(encoder, DataGenerator.generate(kind, fileBytes, 0), to, chunkBytes); // warms up the JVM
            for (int file = 0; file < files; file++) {
                ByteBuffer data = DataGenerator.generate(kind, fileBytes, file + 1L);
                double[] speeds = new double[TIMES];
                for (int i = 0; i < TIMES; i++) {
                    long beginNs = System.nanoTime();
                    long encodedBytes = compress(encoder, data, to, chunkBytes);
                    speeds[i] = NS_PER_S * fileBytes / Math.max(1, System.nanoTime() - beginNs);
                    ratios[file] = (double) fileBytes / (double) encodedBytes;
                }
                bytesPerS[file] = Arrays.stream(speeds).average().orElseThrow();
            }
        }
        return new Measurements(list(bytesPerS), list(ratios));
    }

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    private static long compress(Codec.Encoder encoder, ByteBuffer data, ByteBuffer to, int chunkBytes)
            throws IOException {
        long encodedBytes = 0;
        for (int at = 0; at < data.capacity(); at += chunkBytes) {
            data.limit(at + chunkBytes).position(at);
            to.clear();
            encodedBytes += encoder.encode(data, to);
        }
        return encodedBytes;
    }
}
