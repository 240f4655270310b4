package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class IntervalTest {
    @Test
    void hasNoIntervalOfFewValues() {
        Interval four = Interval.ofMedian(3, 4, 1, 12);
        assertThat(four.value()).isCloseTo(Math.sqrt(12), within(1e-12));
        assertThat(four.hasEnds()).isFalse();
        assertThat(four.low()).isNaN();
        assertThat(Interval.ofMedian().value()).isNaN();
    }

    @Test
    void intervalOfFiveValuesIsTheirRange() {
        assertThat(Interval.ofMedian(3, 5, 1, 2, 9)).satisfies(five -> {
            assertThat(five.value()).isCloseTo(3, within(1e-12));
            assertThat(five.low()).isCloseTo(1, within(1e-12));
            assertThat(five.high()).isCloseTo(9, within(1e-12));
        });
    }

    /** The ends were computed with scipy.stats.binom from the formula of Hettmansperger and Sheather. */
    @Test
    void interpolatesBetweenOrderStatistics() {
        Interval eight = Interval.ofMedian(1.1, 1.3, 1.2, 1.0, 1.5, .9, 1.25, 1.05);
        assertThat(eight.value()).isCloseTo(1.1489125293076057, within(1e-9));
        assertThat(eight.low()).isCloseTo(.9932423093368631, within(1e-9));
        assertThat(eight.high()).isCloseTo(1.312027597134262, within(1e-9));
    }

    @Test
    void medianOfSignedValuesIsInterpolatedOnTheirScale() {
        Interval eight = Interval.ofSignedMedian(-.3, .1, 0, .2, -.1, .5, .3, -.2);
        Interval ofPowers = Interval.ofMedian(
                DoubleStream.of(-.3, .1, 0, .2, -.1, .5, .3, -.2).map(Math::exp).toArray());
        assertThat(eight.value()).isCloseTo(.05, within(1e-12));
        assertThat(eight.low())
                .isCloseTo(Math.log(ofPowers.low()), within(1e-12))
                .isNegative();
        assertThat(eight.high()).isCloseTo(Math.log(ofPowers.high()), within(1e-12));
        assertThat(Interval.ofSignedMedian(-1, 0, 0, 2)).satisfies(four -> {
            assertThat(four.value()).isZero();
            assertThat(four.hasEnds()).isFalse();
        });
    }

    /** Normal, exponential, and normal with spikes of a tenth: the logarithms of values whose median is 1. */
    @Test
    void containsTrueMedianOfEachDistribution() {
        Random random = new Random(1);
        List<DoubleSupplier> logs =
                List.of(random::nextGaussian, () -> -Math.log(random.nextDouble()) - Math.log(2), () -> {
                    int up = random.nextInt(20) / 19;
                    int down = random.nextInt(20) / 19;
                    return random.nextGaussian() + 30 * (up - down);
                });
        for (DoubleSupplier log : logs) {
            for (int repeats : new int[] {5, 6, 7, 8, 12, 25}) {
                int sessions = 5_000;
                int covered = 0;
                for (int session = 0; session < sessions; session++) {
                    Interval estimate = Interval.ofMedian(DoubleStream.generate(() -> Math.exp(log.getAsDouble()))
                            .limit(repeats)
                            .toArray());
                    covered += estimate.low() <= 1 && 1 <= estimate.high() ? 1 : 0;
                }
                assertThat((double) covered / sessions)
                        .as("%d repeats of distribution %d", repeats, logs.indexOf(log))
                        .isBetween(.93, .97);
            }
        }
    }

    /**
     * Values at the limit are judged different with the probability of the level; 5 % of outliers hide no difference.
     */
    @Test
    void provesBoundDespiteOutliers() {
        Random random = new Random(2);
        int falseProofs = 0;
        int proofs = 0;
        for (int i = 0; i < 5_000; i++) {
            double[] values = DoubleStream.generate(() -> random.nextGaussian() + (random.nextInt(20) == 0 ? -20 : 0))
                    .limit(12)
                    .toArray();
            proofs += Interval.isAbove(values, -3, .01) ? 1 : 0;
            falseProofs += Interval.isAbove(values, 0, .01) ? 1 : 0;
        }
        assertThat(proofs).isGreaterThan(4_850); // all but those with more outliers than are trimmed
        assertThat(falseProofs).isLessThan(75); // 50, and three standard deviations
    }
}
