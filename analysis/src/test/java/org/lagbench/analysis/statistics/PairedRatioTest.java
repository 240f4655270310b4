package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class PairedRatioTest {
    @Test
    void computesMedianOfPairedRatios() {
        PairedRatio ratio = Objects.requireNonNull(
                PairedRatio.of(new double[] {10, 20, 5, 8, 30}, new double[] {20, 80, 15, 9, 270}));

        assertThat(ratio.aloneNs()).isCloseTo(10, within(1e-9));
        assertThat(ratio.togetherNs()).isCloseTo(20, within(1e-9));
        assertThat(ratio.ratio()).isCloseTo(3, within(1e-9));
        assertThat(ratio.ratioLow()).isCloseTo(9 / 8.0, within(1e-9));
        assertThat(ratio.ratioHigh()).isCloseTo(9, within(1e-9));
    }

    @Test
    void hasNoIntervalOfFewPairs() {
        PairedRatio ratio = Objects.requireNonNull(PairedRatio.of(new double[] {10}, new double[] {5}));

        assertThat(ratio.ratio()).isCloseTo(0.5, within(1e-12));
        assertThat(ratio.ratioLow()).isNaN();
        assertThat(ratio.ratioHigh()).isNaN();
    }

    @Test
    void hasNoRatioOfNonPositiveDurations() {
        assertThat(PairedRatio.of(new double[0], new double[0])).isNull();
        assertThat(PairedRatio.of(new double[] {10, -1}, new double[] {5, 5})).isNull();
        assertThat(PairedRatio.of(new double[] {10}, new double[] {Double.NaN})).isNull();
    }
}
