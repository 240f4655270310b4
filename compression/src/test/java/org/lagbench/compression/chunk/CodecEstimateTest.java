package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CodecEstimateTest {
    private static final int CHUNK_BYTES = 16_000;
    private static final double MB_PER_S = 1e6;

    private final CodecEstimate estimate = new CodecEstimate(2, 1e9);

    private void measure(int chunks, long mbPerS, boolean isTransmitting) {
        for (int i = 0; i < chunks; i++) {
            estimate.measured(CHUNK_BYTES, CHUNK_BYTES / 4, 1_000 * CHUNK_BYTES / mbPerS, isTransmitting);
        }
    }

    @Test
    void ignoresFewChunksDelayedByTransmission() {
        measure(20, 240, false);
        measure(4, 60, true);

        assertThat(estimate.bytesPerS()).isBetween(180 * MB_PER_S, 240 * MB_PER_S);
        assertThat(estimate.ratio()).isEqualTo(4);
    }

    @Test
    void isNearTheSpeedOfUndisturbedChunks() {
        for (int i = 0; i < 20; i++) {
            measure(4, 60, true);
            measure(1, 240, true);
        }

        assertThat(estimate.bytesPerS()).isGreaterThan(150 * MB_PER_S);
    }

    @Test
    void followsDataThatTakesLonger() {
        measure(20, 240, true);
        measure(64, 60, true);

        assertThat(estimate.bytesPerS()).isBetween(60 * MB_PER_S, 70 * MB_PER_S);
    }

    @Test
    void soonFollowsABusyProcessorWhileNothingIsTransmitted() {
        measure(20, 240, false);
        measure(8, 60, false);

        assertThat(estimate.bytesPerS()).isBetween(60 * MB_PER_S, 80 * MB_PER_S);
    }
}
