package org.lagbench.analysis.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class CodecSpeedTest {
    @Test
    void averagesSpeedsOverFiles() {
        CodecSpeed metrics = CodecSpeed.of("text", "gzip-6", List.of(1.0, 2.0, 3.0), List.of(4.0, 6.0));
        assertThat(metrics.meanBytesPerS()).isCloseTo(2, within(1e-12));
        assertThat(metrics.deviationBytesPerS()).isCloseTo(1, within(1e-12));
        assertThat(metrics.meanRatio()).isCloseTo(5, within(1e-12));
        assertThat(metrics.deviationRatio()).isCloseTo(Math.sqrt(2), within(1e-12));
    }

    @Test
    void hasNoDeviationForOneFile() {
        CodecSpeed metrics = CodecSpeed.of("random", "gzip-6", List.of(2.0), List.of(.99));
        assertThat(metrics.deviationBytesPerS()).isNaN();
        assertThat(metrics.deviationRatio()).isNaN();
    }
}
