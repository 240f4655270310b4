package org.lagbench.analysis.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.compression.CodecAdvice.Bandwidth;
import org.lagbench.analysis.compression.CodecAdvice.Chunks;

class CodecAdviceTest {
    /** Chunks of 16,000 bytes, compressed in 1.6 ms each (10 MB/s). Every other one shrinks to a quarter: ratio 1.6. */
    private static Chunks chunks() {
        List<Long> encoded = new ArrayList<>();
        List<Long> compress = new ArrayList<>();
        List<Long> decompress = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            encoded.add(i % 2 == 0 ? 4_000L : 16_000L);
            compress.add(1_600_000L);
            decompress.add(200_000L);
        }
        return new Chunks(16_000, encoded, compress, decompress);
    }

    private static CodecAdvice advice(double megabytesPerS) {
        double bytesPerS = megabytesPerS * 1e6;
        return CodecAdvice.of("gzip-6", chunks(), new Bandwidth(bytesPerS, .95 * bytesPerS, 1.05 * bytesPerS));
    }

    @Test
    void gainIsTheRatioOverASlowPath() {
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
    void codecLimitsGainOverAFastPath() {
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
