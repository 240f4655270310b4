package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forecasters with a level, against hand-computed values and textbook equations. */
class TrendForecasterTest {
    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.1, 1, 25})
    void kalmanGainTendsToTheAnalyticOne(double q) {
        double analytic = analyticGain(q);
        LocalLevel filter = new LocalLevel(q);
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            filter.learn(random.nextGaussian());
        }
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
            assertThat(filter.forecast(3)).isCloseTo(level, within(1e-6));
        }
    }

    @Test
    void kalmanEstimatesTheRatioOfVariances() {
        Random random = new Random(3);
        LocalLevel filter = new LocalLevel();
        double level = 0;
        double learned = 0;
        double errors = 0;
        for (int i = 0; i < 40_000; i++) {
            level += 0.5 * random.nextGaussian();
            double value = level + random.nextGaussian();
            double before = filter.forecast(1);
            double error = value - before;
            filter.learn(value);
            learned += i < 1000 ? 0 : (filter.forecast(1) - before) * error;
            errors += i < 1000 ? 0 : error * error;
        }
        double q = 0.25;
        assertThat(learned / errors).isCloseTo(analyticGain(q), within(0.02));
    }

    /**
     * The flow of the Nile from 1871 to 1970. The variances with the maximum likelihood are R = 15,099 and Q = 1,469.1
     * (Durbin and Koopman, Time Series Analysis by State Space Methods, 2012, section 2.10.3).
     */
    @Test
    void kalmanChoosesTheLikeliestVariances() {
        int[] flow = {
            1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958,
            1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020,
            1050, 969, 831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040,
            759, 781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890,
            744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740
        };
        LocalLevel filter = new LocalLevel();
        Arrays.stream(flow).forEach(filter::learn);
        double q = 1_469.1 / 15_099;
        // the choice is within a factor of √2
        double last = filter.forecast(1);
        assertThat(last).isCloseTo(798.4, within(10.0));
        filter.learn(last + 1);
        assertThat(filter.forecast(1) - last).isBetween(analyticGain(q / Math.sqrt(2)), analyticGain(q * Math.sqrt(2)));
    }

    /** Spikes in 1 % of the values hide from the differences of neighbors that the level is constant. */
    @Test
    void kalmanIsAsGoodAsTheMeanOfAConstantLevel() {
        Random random = new Random(4);
        LocalLevel filter = new LocalLevel();
        double ofMean = 0;
        double ofFilter = 0;
        double sum = 0;
        for (int i = 0; i < 3_000; i++) {
            double value = 50 + random.nextGaussian() + (random.nextInt(100) == 0 ? 30 : 0);
            if (i >= 100) {
                ofMean += Math.pow(value - sum / i, 2);
                ofFilter += Math.pow(value - filter.forecast(1), 2);
            }
            sum += value;
            filter.learn(value);
        }
        assertThat(ofFilter / ofMean).isBetween(.99, 1.02);
    }

    private static double analyticGain(double q) {
        return (Math.sqrt(q * q + 4 * q) - q) / 2;
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
