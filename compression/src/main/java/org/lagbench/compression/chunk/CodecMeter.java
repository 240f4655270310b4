package org.lagbench.compression.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec.DataKind;
import org.lagbench.core.text.Units;
import org.lagbench.packetio.engine.ThreadCpuTime;

/**
 * Measures codecs in memory, chunk by chunk: for a time with the chunks of one file or one kind of data, or with whole
 * generated files, as Hu (2003) did for Table 1.
 */
public final class CodecMeter {
    /** The repetitions of each file, as in the paper. */
    public static final int TIMES = 6;

    /** The part of the time that warms up the JVM and the codec. */
    private static final double WARM_UP = .3;

    private CodecMeter() {}

    /**
     * The measured chunks, in the order in which they were measured. A chunk may be measured several times.
     *
     * @param chunks the number of each chunk
     * @param encodedBytes size of each chunk as it would be sent: not more than the raw chunk
     * @param compressNs time to compress each chunk
     * @param decompressNs time to decompress each chunk; 0 if it would be sent raw
     */
    public record Measurements(
            List<Long> chunks, List<Long> encodedBytes, List<Long> compressNs, List<Long> decompressNs) {}

    /**
     * Returns the distance between chunks that are measured consecutively. It is about 0.62 of the data, so that few
     * chunks are of all its parts. It is coprime to the number of chunks, so that all are visited.
     */
    static long step(long chunks) {
        long step = Math.max(1, (long) (chunks * (Math.sqrt(5) - 1) / 2));
        while (gcd(step, chunks) > 1) {
            step++;
        }
        return step;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /**
     * Compresses and decompresses chunks from all parts of the data.
     *
     * @param chunks the number of chunks of the data
     * @param durationNs minimum duration of the measurement; at least one chunk is measured
     * @throws LagbenchException if the codec's library cannot be loaded, or the codec fails
     */
    public static Measurements measure(
            Codec.Choice choice, ChunkData data, long chunks, int chunkBytes, long durationNs)
            throws LagbenchException {
        ByteBuffer encoded = ByteBuffer.allocateDirect(choice.codec().maximumBytes(chunkBytes));
        ByteBuffer decoded = ByteBuffer.allocateDirect(chunkBytes);
        Measurements measured =
                new Measurements(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        long beginNs = System.nanoTime();
        long step = step(chunks);
        try (Codec.Encoder encoder = Codecs.openEncoder(choice);
                Codec.Decoder decoder = Codecs.openDecoder(choice.codec())) {
            long elapsedNs = 0;
            for (long i = 0; elapsedNs < durationNs || measured.encodedBytes().isEmpty(); i++) {
                long chunk = i * step % chunks;
                ByteBuffer raw = data.chunk(chunk);
                encoded.clear();
                decoded.clear();
                long compressNs = System.nanoTime();
                int bytes = encoder.encode(raw, encoded);
                long compressedNs = System.nanoTime();
                encoded.position(0).limit(bytes);
                boolean isShorter = bytes < chunkBytes;
                if (isShorter) {
                    decoder.decode(encoded, decoded);
                }
                long endNs = System.nanoTime();
                elapsedNs = endNs - beginNs;
                if (elapsedNs >= WARM_UP * durationNs) {
                    measured.chunks().add(chunk);
                    measured.encodedBytes().add((long) Math.min(bytes, chunkBytes));
                    measured.compressNs().add(compressedNs - compressNs);
                    measured.decompressNs().add(isShorter ? endNs - compressedNs : 0L);
                }
            }
        } catch (IOException e) {
            throw failed(choice, e);
        }
        return measured;
    }

    /** Returns the exception for a codec that failed. */
    static LagbenchException failed(Codec.Choice choice, IOException cause) {
        return ExitCode.UNAVAILABLE.failure(
                "The codec " + choice.name() + " failed: " + IoErrors.reason(cause) + ".", cause);
    }

    /**
     * The speed and ratio of each file.
     *
     * @param bytesPerS raw bytes per second of CPU time of compression, on average of the repetitions. Other programs
     *     on the processor do not lower it.
     * @param ratios raw bytes per encoded byte
     */
    public record FileMeasurements(List<Double> bytesPerS, List<Double> ratios) {}

    /**
     * Compresses generated files.
     *
     * @param files their number; file n is generated from the seed n
     * @param fileBytes size of each, a multiple of the chunks' size
     * @throws LagbenchException if the codec's library cannot be loaded, or the codec fails
     */
    public static FileMeasurements measureFiles(
            Codec.Choice choice, DataKind kind, int files, int fileBytes, int chunkBytes) throws LagbenchException {
        ByteBuffer to = ByteBuffer.allocateDirect(choice.codec().maximumBytes(chunkBytes));
        double[] bytesPerS = new double[files];
        double[] ratios = new double[files];
        try (Codec.Encoder encoder = Codecs.openEncoder(choice)) {
            compress(encoder, DataGenerator.generate(kind, fileBytes, 0), to, chunkBytes); // warms up the JVM
            for (int file = 0; file < files; file++) {
                ByteBuffer data = DataGenerator.generate(kind, fileBytes, file + 1L);
                double[] speeds = new double[TIMES];
                for (int i = 0; i < TIMES; i++) {
                    long beginNs = ThreadCpuTime.currentNs();
                    long encodedBytes = compress(encoder, data, to, chunkBytes);
                    speeds[i] = Units.NS_PER_S * fileBytes / Math.max(1, ThreadCpuTime.currentNs() - beginNs);
                    ratios[file] = (double) fileBytes / (double) encodedBytes;
                }
                bytesPerS[file] = Arrays.stream(speeds).average().orElseThrow();
            }
        } catch (IOException e) {
            throw failed(choice, e);
        }
        return new FileMeasurements(list(bytesPerS), list(ratios));
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
