package org.lagbench.analysis.compression;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/**
 * The expected gain of a codec for data over a path: the time of a long transfer without the codec, divided by the time
 * with the codec. In a long transfer, the time of a chunk is that of the slowest stage: compression, transmission or
 * decompression. The 95 % interval combines a bootstrap over the sampled chunks with the interval of the bandwidth.
 *
 * @param codec the codec and level
 * @param ratio raw bytes per encoded byte
 * @param compressBytesPerS raw bytes compressed per second
 * @param decompressBytesPerS raw bytes decompressed per second
 * @param gain more than 1 if the codec is faster than no codec
 */
public record CodecAdvice(
        String codec, double ratio, double compressBytesPerS, double decompressBytesPerS, Resampling gain) {
    private static final int DRAWS = 1_999;
    private static final int SEED = 22;
    private static final double HALF_INTERVAL = 1.96;
    private static final double NS_PER_S = 1e9;
    private static final double LOW_PERCENT = 2.5;
    private static final double HIGH_PERCENT = 97.5;

    /**
     * The sampled chunks of a codec.
     *
     * @param rawBytes size of each chunk
     * @param encodedBytes size of each chunk as it would be sent
     * @param compressNs time to compress each chunk
     * @param decompressNs time to decompress each chunk
     */
    public record Chunks(int rawBytes, List<Long> encodedBytes, List<Long> compressNs, List<Long> decompressNs) {}

    /**
     * The bandwidth of the path for payload, in bytes per second.
     *
     * @param low lower end of the 95 % interval
     * @param high upper end of the 95 % interval
     */
    public record Bandwidth(double value, double low, double high) {
        double draw(RandomGenerator random) {
            double normal = random.nextGaussian();
            double end = normal < 0 ? low : high;
            return value * Math.exp(Math.abs(normal) / HALF_INTERVAL * Math.log(end / value));
        }
    }

    private record Sums(double raw, double encoded, double compressNs, double decompressNs) {
        /** Returns the gain over a bandwidth in bytes per second. */
        double gain(double bandwidth) {
            double transmitNs = NS_PER_S * encoded / bandwidth;
            return NS_PER_S * raw / bandwidth / Math.max(Math.max(compressNs, transmitNs), decompressNs);
        }
    }

    /** Computes the expected gain of a codec. */
    public static CodecAdvice of(String codec, Chunks chunks, Bandwidth bandwidth) {
        int n = chunks.encodedBytes().size();
        int[] all = new int[n];
        Arrays.setAll(all, i -> i);
        Sums sums = sums(chunks, all);
        RandomGenerator random = new Well19937c(SEED);
        double[] gains = new double[DRAWS];
        int[] drawn = new int[n];
        for (int i = 0; i < DRAWS; i++) {
            Arrays.setAll(drawn, chunk -> random.nextInt(n));
            gains[i] = sums(chunks, drawn).gain(bandwidth.draw(random));
        }
        Percentile percentile = new Percentile().withEstimationType(EstimationType.R_7);
        percentile.setData(gains);
        return new CodecAdvice(
                codec,
                sums.raw() / sums.encoded(),
                NS_PER_S * sums.raw() / sums.compressNs(),
                NS_PER_S * sums.raw() / Math.max(1, sums.decompressNs()),
                new Resampling(
                        sums.gain(bandwidth.value()),
                        percentile.evaluate(LOW_PERCENT),
                        percentile.evaluate(HIGH_PERCENT)));
    }

    private static Sums sums(Chunks chunks, int[] indices) {
        long encoded = 0;
        long compressNs = 0;
        long decompressNs = 0;
        for (int index : indices) {
            encoded += chunks.encodedBytes().get(index);
            compressNs += chunks.compressNs().get(index);
            decompressNs += chunks.decompressNs().get(index);
        }
        return new Sums((double) chunks.rawBytes() * indices.length, (double) encoded, (double) compressNs, (double)
                decompressNs);
    }

    /** Returns whether the codec is faster than no codec in the whole interval. */
    public boolean pays() {
        return gain.low() > 1;
    }

    /** Returns the codecs in descending order of the expected gain. */
    public static List<CodecAdvice> ranked(List<CodecAdvice> codecs) {
        return codecs.stream()
                .sorted(Comparator.comparingDouble(
                                (CodecAdvice advice) -> advice.gain().value())
                        .reversed())
                .toList();
    }
}
