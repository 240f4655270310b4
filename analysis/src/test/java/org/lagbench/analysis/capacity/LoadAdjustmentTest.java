package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests against values computed by hand from RFC 9097, section 8.1. */
class LoadAdjustmentTest {
    private static final double MBPS = 1e6;

    @Test
    void beginsWithNextLowerRateOfTable() {
        assertThat(new LoadAdjustment(0).bitsPerS()).isEqualTo(0.5 * MBPS);
        assertThat(new LoadAdjustment(94.9 * MBPS).bitsPerS()).isEqualTo(94 * MBPS);
        assertThat(new LoadAdjustment(1_250 * MBPS).bitsPerS()).isEqualTo(1_200 * MBPS);
    }

    @Test
    void growsFastUntilThirdCongestion() {
        LoadAdjustment load = new LoadAdjustment(50 * MBPS);
        load.adjust(0, 0);
        assertThat(load.bitsPerS()).isEqualTo(60 * MBPS);
        load.adjust(10, 60e6); // between the thresholds
        assertThat(load.bitsPerS()).isEqualTo(60 * MBPS);
        load.adjust(11, 0);
        load.adjust(0, 91e6);
        assertThat(load.bitsPerS()).isEqualTo(58 * MBPS);
        load.adjust(11, 0);
        assertThat(load.bitsPerS()).isEqualTo(28 * MBPS);
        load.adjust(0, 0);
        assertThat(load.bitsPerS()).isEqualTo(29 * MBPS);
        load.adjust(11, 0);
        assertThat(load.bitsPerS()).isEqualTo(28 * MBPS);
    }

    @Test
    void growsByOneRowAboveGigabit() {
        LoadAdjustment load = new LoadAdjustment(1_000 * MBPS);
        load.adjust(0, 0);
        assertThat(load.bitsPerS()).isEqualTo(1_100 * MBPS);
    }

    @Test
    void limitsRateToTable() {
        LoadAdjustment low = new LoadAdjustment(0);
        low.adjust(11, 0);
        assertThat(low.bitsPerS()).isEqualTo(0.5 * MBPS);
        LoadAdjustment high = new LoadAdjustment(1e12);
        high.adjust(0, 0);
        assertThat(high.bitsPerS()).isEqualTo(10_000 * MBPS);
    }
}
