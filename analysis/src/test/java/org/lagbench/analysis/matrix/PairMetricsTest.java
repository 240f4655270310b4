package org.lagbench.analysis.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
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
}
