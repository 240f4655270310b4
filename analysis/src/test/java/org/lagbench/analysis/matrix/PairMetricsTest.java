package org.lagbench.analysis.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.statistics.Interval;

class PairMetricsTest {
    /** With no loss in n packets, the upper end is 1 − 0.025^(1/n). R: binom.test(5, 100)$conf.int. */
    @Test
    void boundsLossByClopperAndPearson() {
        Interval none = Interval.ofShare(0, 500);
        assertThat(none.value()).isZero();
        assertThat(none.low()).isZero();
        assertThat(none.high()).isCloseTo(1 - Math.pow(0.025, 1 / 500.0), within(1e-9));

        Interval some = Interval.ofShare(5, 100);
        assertThat(some.value()).isEqualTo(0.05);
        assertThat(some.low()).isCloseTo(0.01643, within(1e-5));
        assertThat(some.high()).isCloseTo(0.11283, within(1e-5));

        assertThat(Interval.ofShare(10, 10).high()).isEqualTo(1);
    }

    /** The lower end of 1 in n is 1 − 0.975^(1/n). */
    @ParameterizedTest
    @ValueSource(longs = {1_000, 1_000_000, 100_000_000, 100_000_000_000L})
    void boundsSmallLoss(long packets) {
        assertThat(Interval.ofShare(1, packets).low())
                .isCloseTo(-Math.expm1(Math.log(0.975) / (double) packets), withPercentage(0.01));
        assertThat(Interval.ofShare(0, packets).high())
                .isCloseTo(-Math.expm1(Math.log(0.025) / (double) packets), withPercentage(0.01));
    }
}
