package org.lagbench.analysis.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.transfer.CodecAdvice.Chunks;

class CodecAdviceTest {
    /**
     * Chunks of 16,000 bytes, compressed in 1.6 ms each (10 MB/s). Every other one shrinks to a quarter: ratio 1.6.
     *
     * @param visits how often each chunk is measured
     */
    private static Chunks chunks(int different, int visits) {
        Chunks chunks = new Chunks(16_000, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (long i = 0; i < (long) different * visits; i++) {
            long chunk = i % different;
            chunks.chunks().add(chunk);
            chunks.encodedBytes().add(chunk % 2 == 0 ? 4_000L : 16_000L);
            chunks.compressNs().add(1_600_000L);
            chunks.decompressNs().add(200_000L);
        }
        return chunks;
    }

    private static CodecAdvice advice(double megabytesPerS) {
        double bytesPerS = megabytesPerS * 1e6;
        return CodecAdvice.of("gzip-6", chunks(200, 1), new Interval(bytesPerS, .95 * bytesPerS, 1.05 * bytesPerS));
    }

    private static Interval gainOfKnownPath(Chunks chunks) {
        return CodecAdvice.of("gzip-6", chunks, new Interval(1e6, 1e6, 1e6)).gain();
    }

    /** The encoded size has the standard error 6,000/√200 bytes, so the interval is 16,000/(10,000 ± 832). */
    @Test
    void intervalIsThatOfTheDifferentChunks() {
        Interval gain = gainOfKnownPath(chunks(200, 1));
        assertThat(gain.low()).isCloseTo(1.477, within(.02));
        assertThat(gain.high()).isCloseTo(1.745, within(.02));
        assertThat(gainOfKnownPath(chunks(200, 5))).isEqualTo(gain);
    }

    /** A quarter of the resamples has only the chunk that shrinks, and a quarter only the other one. */
    @Test
    void intervalOfTwoChunksIsWideDespiteManyVisits() {
        Interval gain = gainOfKnownPath(chunks(2, 500));
        assertThat(gain.value()).isCloseTo(1.6, within(1e-9));
        assertThat(gain.low()).isCloseTo(1, within(1e-9));
        assertThat(gain.high()).isCloseTo(4, within(1e-9));
    }

    @Test
    void gainsByRatioOnSlowPath() {
        CodecAdvice advice = advice(1);
        assertThat(advice.ratio()).isCloseTo(1.6, within(1e-9));
        assertThat(advice.compressBytesPerS()).isCloseTo(10e6, within(1.0));
        assertThat(advice.decompressBytesPerS()).isCloseTo(80e6, within(1.0));
        assertThat(advice.gain().value())
                .isCloseTo(1.6, within(1e-9))
                .isBetween(advice.gain().low(), advice.gain().high());
        assertThat(advice.pays()).isTrue();
    }

    @Test
    void codecLimitsGainOnFastPath() {
        CodecAdvice advice = advice(20);
        assertThat(advice.gain().value()).as("10 MB/s instead of 20").isCloseTo(.5, within(1e-9));
        assertThat(advice.gain().low()).isCloseTo(.5 / 1.05, within(.01));
        assertThat(advice.gain().high()).isCloseTo(.5 / .95, within(.01));
        assertThat(advice.pays()).isFalse();
    }

    @Test
    void ranksByTheExpectedGain() {
        assertThat(CodecAdvice.ranked(List.of(advice(20), advice(1), advice(8))))
                .extracting(each -> Math.round(each.gain().value() * 100))
                .containsExactly(160L, 125L, 50L);
    }
}
