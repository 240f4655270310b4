package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.statistics.PairedRatio.Pair;

class PairedRatioTest {
    @Test
    void computesGeometricMeanAndStudentsInterval() {
        PairedRatio ratio =
                Objects.requireNonNull(PairedRatio.of(List.of(new Pair(10, 20), new Pair(20, 80), new Pair(5, 15))));

        // By hand: the cube root of 2 * 4 * 3, and t = 4.302653 with two degrees of freedom.
        assertThat(ratio.aloneNs()).isCloseTo(10, within(1e-9));
        assertThat(ratio.togetherNs()).isCloseTo(10 * 2.8844991406148166, within(1e-6));
        assertThat(ratio.ratio()).isCloseTo(2.8844991406148166, within(1e-6));
        assertThat(ratio.ratioLow()).isCloseTo(1.2144380830869503, within(1e-6));
        assertThat(ratio.ratioHigh()).isCloseTo(6.851181141370632, within(1e-6));
    }

    @Test
    void hasNoIntervalOfOnePair() {
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
