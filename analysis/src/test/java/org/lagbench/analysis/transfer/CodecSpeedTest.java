package org.lagbench.analysis.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class CodecSpeedTest {
    @Test
    void averagesTheFiles() {
        CodecSpeed figures = CodecSpeed.of("text", "gzip-6", List.of(1.0, 2.0, 3.0), List.of(4.0, 6.0));
        assertThat(figures.meanBytesPerS()).isCloseTo(2, within(1e-12));
        assertThat(figures.deviationBytesPerS()).isCloseTo(1, within(1e-12));
        assertThat(figures.meanRatio()).isCloseTo(5, within(1e-12));
        assertThat(figures.deviationRatio()).isCloseTo(Math.sqrt(2), within(1e-12));
        assertThat(figures.simpleCrossoverBytesPerS()).as("2 (1 - 1/5)").isCloseTo(1.6, within(1e-12));
        assertThat(figures.overlapCrossoverBytesPerS()).isCloseTo(2, within(1e-12));
    }

    @Test
    void oneFileHasNoDeviation() {
        CodecSpeed figures = CodecSpeed.of("random", "gzip-6", List.of(2.0), List.of(.99));
        assertThat(figures.deviationBytesPerS()).isNaN();
        assertThat(figures.deviationRatio()).isNaN();
        assertThat(figures.overlapCrossoverBytesPerS()).isZero();
    }
}
