package org.lagbench.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class GeometricMeanTest {
    private static double[] ratios(Random random, int repeats, double ratio, double spread) {
        return DoubleStream.generate(() -> ratio * Math.exp(spread * random.nextGaussian()))
                .limit(repeats)
                .toArray();
    }

    @Test
    void hasNoIntervalOfOneRepeat() {
        GeometricMean one = GeometricMean.of(new double[] {3});
        assertThat(one.mean()).isCloseTo(3, within(1e-12));
        assertThat(one.hasInterval()).isFalse();
        assertThat(one.low()).isNaN();
        assertThat(one.nonEquivalence(.05, 0)).isNaN();
        assertThat(GeometricMean.of(new double[0]).mean()).isNaN();
    }

    /** The ends are those of scipy.stats.t.interval of the logarithms. */
    @Test
    void usesStudentsIntervalForFewRepeats() {
        GeometricMean three = GeometricMean.of(new double[] {1.1, 1.3, 1.2});
        assertThat(three.isBootstrap()).isFalse();
        assertThat(three.mean()).isCloseTo(1.197215767258376, within(1e-9));
        assertThat(three.low()).isCloseTo(.9728219756137048, within(1e-9));
        assertThat(three.high()).isCloseTo(1.473368847848907, within(1e-9));
    }

    /** The p-values are the greater ones of two one-sided scipy.stats.ttest_1samp of the logarithms. */
    @Test
    void testsEquivalenceOnTheLogarithm() {
        double[] ratios = {1.01, .99, 1.03, 1.0, .98, 1.02};
        assertThat(GeometricMean.of(ratios).nonEquivalence(.05, 0)).isCloseTo(.0010889126184065912, within(1e-9));
        assertThat(GeometricMean.of(ratios).nonEquivalence(.01, 0)).isCloseTo(.2657174972765926, within(1e-9));
        double[] inverse = Arrays.stream(ratios).map(ratio -> 1 / ratio).toArray();
        assertThat(GeometricMean.of(inverse).nonEquivalence(.05, 0)).isCloseTo(.0010889126184065912, within(1e-9));
        assertThat(GeometricMean.of(ratios).nonEquivalence(.05, Double.POSITIVE_INFINITY))
                .isEqualTo(1);
        assertThat(GeometricMean.of(new double[] {1, 1, 1}).nonEquivalence(.05, 0))
                .isZero();
    }

    /** Compares with all resamples of five values, instead of random ones. The expanded tail is from scipy. */
    @Test
    void bootstrapAgreesWithAllResamples() {
        double[] values = {1.00, 1.31, 1.12, .93, 1.55};
        double[] means = new double[5 * 5 * 5 * 5 * 5];
        for (int i = 0; i < means.length; i++) {
            int digits = i;
            for (int place = 0; place < 5; place++) {
                means[i] += Math.log(values[digits % 5]) / 5;
                digits /= 5;
            }
        }
        Arrays.sort(means);
        GeometricMean five = GeometricMean.of(values);
        assertThat(five.isBootstrap()).isTrue();
        double tail = .0009541005518824907;
        // resamples are random: the ends are between those of tails that are a third smaller and a third greater
        double rounding = 1e-12;
        assertThat(Math.log(five.low()))
                .isBetween(
                        means[(int) (tail * .67 * means.length)] - rounding,
                        means[(int) (tail * 1.5 * means.length) + 1] + rounding);
        assertThat(Math.log(five.high()))
                .isBetween(
                        means[means.length - 2 - (int) (tail * 1.5 * means.length)] - rounding,
                        means[means.length - 1 - (int) (tail * .67 * means.length)] + rounding);
        assertThat(GeometricMean.of(values)).isEqualTo(five);
    }

    @Test
    void intervalCoversTheTrueRatio() {
        for (int repeats : new int[] {3, 6}) {
            Random random = new Random(repeats);
            int sessions = 300;
            int covered = 0;
            for (int session = 0; session < sessions; session++) {
                GeometricMean estimate = GeometricMean.of(ratios(random, repeats, 1.7, .2));
                covered += estimate.low() <= 1.7 && 1.7 <= estimate.high() ? 1 : 0;
            }
            // 95 % ± 3 standard errors of 300 sessions
            assertThat((double) covered / sessions).as(repeats + " repeats").isBetween(.912, .988);
        }
    }

    /** At the margin, the probability of a false equivalence is greatest: 5 %. */
    @Test
    void findsFalseEquivalenceInAtMostOneOfTwenty() {
        Random random = new Random(5);
        int sessions = 20_000;
        int equivalent = 0;
        for (int session = 0; session < sessions; session++) {
            equivalent += isEquivalent(ratios(random, 4, 1.05, .01)) ? 1 : 0;
        }
        // 3 standard errors of 20,000 sessions
        assertThat((double) equivalent / sessions).isBetween(.0454, .0546);
        int shown = 0;
        for (int session = 0; session < 1_000; session++) {
            shown += isEquivalent(ratios(random, 4, 1, .01)) ? 1 : 0;
        }
        assertThat(shown).isGreaterThan(950);
    }

    private static boolean isEquivalent(double[] ratios) {
        return GeometricMean.of(ratios).nonEquivalence(.05, 0) <= .05;
    }
}
