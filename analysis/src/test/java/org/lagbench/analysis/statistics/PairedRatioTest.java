package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.statistics.PairedRatio.Pair;

class PairedRatioTest {
    @Test
    void computesMedianOfPairedRatios() {
        PairedRatio ratio = Objects.requireNonNull(PairedRatio.of(
                List.of(new Pair(10, 20), new Pair(20, 80), new Pair(5, 15), new Pair(8, 9), new Pair(30, 270))));

        assertThat(ratio.aloneNs()).isCloseTo(10, within(1e-9));
        assertThat(ratio.togetherNs()).isCloseTo(20, within(1e-9));
        assertThat(ratio.ratio()).isCloseTo(3, within(1e-9));
        assertThat(ratio.ratioLow()).isCloseTo(9 / 8.0, within(1e-9));
        assertThat(ratio.ratioHigh()).isCloseTo(9, within(1e-9));
    }

    @Test
    void hasNoIntervalOfFewPairs() {
        PairedRatio ratio = Objects.requireNonNull(PairedRatio.of(List.of(new Pair(10, 5))));

        assertThat(ratio.ratio()).isCloseTo(0.5, within(1e-12));
        assertThat(ratio.ratioLow()).isNaN();
        assertThat(ratio.ratioHigh()).isNaN();
    }

    @Test
    void hasNoRatioOfNonPositiveDurations() {
        assertThat(PairedRatio.of(List.of())).isNull();
        assertThat(PairedRatio.of(List.of(new Pair(10, 5), new Pair(-1, 5)))).isNull();
        assertThat(PairedRatio.of(List.of(new Pair(10, Double.NaN)))).isNull();
    }
}
