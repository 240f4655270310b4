package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-java")
class MeanRatioTest {
    private final Random random = new Random(3);

    @Test
    void equalsTheRatioOfTheMeans() {
        double[] x = spikes(6_000, 0);
        double[] y = spikes(6_000, .01);
        MeanRatio ratio = of(x, y);
        assertThat(ratio.ratio())
                .isCloseTo(Arrays.stream(y).sum() / Arrays.stream(x).sum(), within(1e-12));
        assertThat(ratio.low()).isLessThan(ratio.ratio());
        assertThat(ratio.high()).isGreaterThan(ratio.ratio());
    }

    @Test
    void coversTheTrueRatioOfCorrelatedSeries() {
        for (double correlation : new double[] {0, .5, .95}) {
            int length = (int) (600 / (1 - correlation));
            int printed = 0;
            int covered = 0;
            for (int i = 0; i < 400; i++) {
                MeanRatio ratio = of(autoregressive(length, correlation), autoregressive(length, correlation));
                printed += ratio.hasEnds() ? 1 : 0;
                covered += ratio.low() <= 1 && 1 <= ratio.high() ? 1 : 0;
            }
            assertThat(printed).as("printed at %s", correlation).isGreaterThan(380);
            // three standard errors of 400 draws
            assertThat(covered / (double) printed)
                    .as("covered at %s", correlation)
                    .isBetween(.917, .983);
        }
    }

    @Test
    void refusesSeriesTooShortForTheirCorrelation() {
        MeanRatio walk = of(autoregressive(1_000, .999), autoregressive(1_000, .999));
        assertThat(walk.hasEnds()).isFalse();
        assertThat(walk.isEquivalent()).isFalse();
        assertThat(walk.needed()).isGreaterThan(walk.pairs());
        assertThat(of(spikes(499, 0), spikes(499, 0)).needed()).isEqualTo(500);
    }

    /** Ten spikes of a hundred standard deviations, which decide the mean, are too few of them. */
    @Test
    void refusesTooFewSpikes() {
        MeanRatio ratio = of(spikes(1_000, 0), spikes(1_000, .01));
        assertThat(ratio.hasEnds()).isFalse();
        assertThat(ratio.needed()).isBetween(1_500L, 5_000L);
    }

    /** A sample without the rare large values looks harmless: 2,000 of these need about 28,000. */
    @Test
    void refusesHeavyTailAlsoIfItsLargestValuesAreAbsent() {
        double[] constant = new double[2_000];
        Arrays.fill(constant, 1);
        int printed = 0;
        for (int i = 0; i < 200; i++) {
            MeanRatio ratio = of(constant, lognormal(2_000, 1.5));
            printed += ratio.hasEnds() ? 1 : 0;
        }
        assertThat(printed).isLessThan(10);
    }

    @Test
    void coversTheTrueRatioToModerateTails() {
        double[] constant = new double[5_000];
        Arrays.fill(constant, 1);
        int printed = 0;
        int covered = 0;
        for (int i = 0; i < 400; i++) {
            MeanRatio ratio = of(constant, lognormal(5_000, 1));
            printed += ratio.hasEnds() ? 1 : 0;
            covered += ratio.low() <= 1 && 1 <= ratio.high() ? 1 : 0;
        }
        assertThat(printed).isGreaterThan(300);
        assertThat(covered / (double) printed).isBetween(.917, .983);
    }

    /** Returns values of mean 1. */
    private double[] lognormal(int length, double sigma) {
        double[] values = new double[length];
        Arrays.setAll(values, i -> Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2));
        return values;
    }

    private static MeanRatio of(double[] x, double[] y) {
        return Objects.requireNonNull(MeanRatio.of(x, y));
    }

    private double[] spikes(int length, double share) {
        return random.doubles(length)
                .map(uniform -> 10 + random.nextGaussian() + (uniform < share ? 100 : 0))
                .toArray();
    }

    private double[] autoregressive(int length, double correlation) {
        double[] values = new double[length];
        double state = random.nextGaussian();
        for (int i = 0; i < length; i++) {
            state = correlation * state + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
            values[i] = 10 + state;
        }
        return values;
    }
}
