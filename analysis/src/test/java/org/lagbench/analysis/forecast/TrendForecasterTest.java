package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forecasters with a level, against hand-computed values and textbook equations. */
class TrendForecasterTest {
    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.1, 1, 25})
    void kalmanGainTendsToTheAnalyticOne(double q) {
        double analytic = (Math.sqrt(q * q + 4 * q) - q) / 2;
        LocalLevel filter = new LocalLevel(q);
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            filter.learn(random.nextGaussian());
        }
        assertThat(filter.gain()).isCloseTo(analytic, within(1e-12));
        // from now on the filter is exponential smoothing with that gain
        double smoothed = filter.forecast(1);
        for (int i = 0; i < 50; i++) {
            double value = random.nextGaussian();
            smoothed += analytic * (value - smoothed);
            filter.learn(value);
            assertThat(filter.forecast(1)).isCloseTo(smoothed, within(1e-9));
        }
    }

    @Test
    void kalmanAgreesWithTextbookRecursion() {
        double noise = 4;
        double steps = 2;
        LocalLevel filter = new LocalLevel(steps / noise);
        Random random = new Random(2);
        double variance = 1e12; // nothing is known at the beginning
        double level = 0;
        for (int i = 0; i < 100; i++) {
            variance += steps;
            if (i % 7 == 3) {
                filter.skip();
                continue;
            }
            double value = 50 + random.nextGaussian();
            double gain = variance / (variance + noise);
            level += gain * (value - level);
            variance = 1 / (1 / variance + 1 / noise);
            filter.learn(value);
            assertThat(filter.gain()).isCloseTo(gain, within(1e-9));
            assertThat(filter.forecast(3)).isCloseTo(level, within(1e-6));
        }
    }

    @Test
    void kalmanEstimatesTheRatioOfVariances() {
        Random random = new Random(3);
        LocalLevel filter = new LocalLevel();
        double level = 0;
        double gains = 0;
        for (int i = 0; i < 40_000; i++) {
            level += 0.5 * random.nextGaussian();
            filter.learn(level + random.nextGaussian());
            gains += i < 1000 ? 0 : filter.gain();
        }
        double q = 0.25;
        assertThat(gains / 39_000).isCloseTo((Math.sqrt(q * q + 4 * q) - q) / 2, within(0.02));
    }

    @Test
    void kalmanFollowsARandomWalkWithoutNoise() {
        LocalLevel filter = new LocalLevel();
        for (double value : new double[] {1, 2, 4, 7, 11, 16}) {
            filter.learn(value);
        }
        assertThat(filter.forecast(1)).isEqualTo(16);
    }

    @Test
    void holtDampsTheTrend() {
        DampedHolt holt = new DampedHolt(.5);
        assertThat(holt.forecast(1)).isNaN();
        holt.learn(10);
        holt.learn(12);
        // level 11, trend .5 × .1 × 2 = .1
        assertThat(holt.forecast(1)).isCloseTo(11.09, within(1e-12));
        assertThat(holt.forecast(2)).isCloseTo(11 + .09 + .081, within(1e-12));
        double ahead = holt.forecast(2);
        holt.skip();
        assertThat(holt.forecast(1)).isCloseTo(ahead, within(1e-12));
        holt.learn(ahead);
        assertThat(holt.forecast(1)).isCloseTo(ahead + .9 * .081, within(1e-12));
    }
}
