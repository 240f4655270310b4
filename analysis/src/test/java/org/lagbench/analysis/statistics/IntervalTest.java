package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class IntervalTest {
    @Test
    void hasNoIntervalOfOneValue() {
        Interval one = Interval.ofGeometricMean(3);
        assertThat(one.value()).isCloseTo(3, within(1e-12));
        assertThat(one.hasEnds()).isFalse();
        assertThat(one.low()).isNaN();
        assertThat(Interval.ofGeometricMean().value()).isNaN();
    }

    /** The ends are those of scipy.stats.t.interval of the logarithms. */
    @Test
    void usesStudentsIntervalOfLogarithms() {
        Interval three = Interval.ofGeometricMean(1.1, 1.3, 1.2);
        assertThat(three.value()).isCloseTo(1.197215767258376, within(1e-9));
        assertThat(three.low()).isCloseTo(.9728219756137048, within(1e-9));
        assertThat(three.high()).isCloseTo(1.473368847848907, within(1e-9));
    }

    @Test
    void coversTrueRatioOfFewRepeats() {
        for (int repeats : new int[] {2, 3, 5, 6, 10}) {
            Random random = new Random(repeats);
            int sessions = 5_000;
            int covered = 0;
            for (int session = 0; session < sessions; session++) {
                Interval estimate =
                        Interval.ofGeometricMean(DoubleStream.generate(() -> 1.7 * Math.exp(.2 * random.nextGaussian()))
                                .limit(repeats)
                                .toArray());
                covered += estimate.low() <= 1.7 && 1.7 <= estimate.high() ? 1 : 0;
            }
            // 95 % ± 3 standard errors of 5,000 sessions
            assertThat((double) covered / sessions).as(repeats + " repeats").isBetween(.9408, .9592);
        }
    }
}
