package org.lagbench.analysis.transfer;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.math3.random.RandomGenerator;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.text.Units;

/**
 * The expected gain of a codec for data over a path: the time of a long transfer without the codec, divided by the time
 * with the codec. In a long transfer, the time of a chunk is that of the slowest stage: compression, transmission or
 * decompression. The 95 % interval combines a bootstrap over the different chunks with the interval of the bandwidth.
 *
 * @param codec the codec and level
 * @param ratio raw bytes per encoded byte
 * @param compressBytesPerS raw bytes compressed per second
 * @param decompressBytesPerS raw bytes decompressed per second
 * @param gain more than 1 if the codec is faster than no codec
 */
public record CodecAdvice(
        String codec, double ratio, double compressBytesPerS, double decompressBytesPerS, Interval gain) {
    private static final double HALF_INTERVAL = 1.96;

    /**
     * The measurements of a codec with chunks. Each chunk may be measured several times.
     *
     * @param rawBytes size of each chunk
     * @param chunks the number of the chunk of each measurement
     * @param encodedBytes size of the chunk as it would be sent
     * @param compressNs time to compress the chunk
     * @param decompressNs time to decompress the chunk
     */
    public record Chunks(
            int rawBytes, List<Long> chunks, List<Long> encodedBytes, List<Long> compressNs, List<Long> decompressNs) {
        /** Returns the averages of each different chunk. */
        private List<Sums> averages() {
            Map<Long, List<Integer>> measurements = IntStream.range(0, chunks.size())
                    .boxed()
                    .collect(Collectors.groupingBy(chunks::get, LinkedHashMap::new, Collectors.toList()));
            return measurements.values().stream()
                    .map(of -> new Sums(
                            rawBytes, average(encodedBytes, of), average(compressNs, of), average(decompressNs, of)))
                    .toList();
        }

        private static double average(List<Long> values, List<Integer> indices) {
            return indices.stream().mapToLong(values::get).average().orElseThrow();
        }
    }

    private record Sums(double raw, double encoded, double compressNs, double decompressNs) {
        static Sums of(List<Sums> chunks) {
            return chunks.stream()
                    .reduce((a, b) -> new Sums(
                            a.raw + b.raw,
                            a.encoded + b.encoded,
                            a.compressNs + b.compressNs,
                            a.decompressNs + b.decompressNs))
                    .orElseThrow();
        }

        /** Returns the gain over a bandwidth in bytes per second. */
        double gain(double bandwidth) {
            double transmitNs = Units.NS_PER_S * encoded / bandwidth;
            return Units.NS_PER_S * raw / bandwidth / Math.max(Math.max(compressNs, transmitNs), decompressNs);
        }
    }

    private static double draw(Interval bandwidth, RandomGenerator random) {
        double normal = random.nextGaussian();
        double end = normal < 0 ? bandwidth.low() : bandwidth.high();
        return bandwidth.value() * Math.exp(Math.abs(normal) / HALF_INTERVAL * Math.log(end / bandwidth.value()));
    }

    /**
     * Computes the expected gain of a codec.
     *
     * @param bandwidth of the path for payload, in bytes per second
     */
    public static CodecAdvice of(String codec, Chunks chunks, Interval bandwidth) {
        List<Sums> each = chunks.averages();
        Sums sums = Sums.of(each);
        return new CodecAdvice(
                codec,
                sums.raw() / sums.encoded(),
                Units.NS_PER_S * sums.raw() / sums.compressNs(),
                Units.NS_PER_S * sums.raw() / Math.max(1, sums.decompressNs()),
                Interval.ofResamples(sums.gain(bandwidth.value()), random -> Sums.of(Interval.draw(each, random))
                        .gain(draw(bandwidth, random))));
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
