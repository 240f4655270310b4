package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CorrelationTimeTest {
    /** Returns values around a level that changes in the middle. */
    private static double[] step(int values) {
        Random random = new Random(1);
        double[] series = new double[values];
        Arrays.setAll(series, i -> (i < values / 2 ? 1 : 5) + random.nextGaussian());
        return series;
    }

    /** Returns the sum over all lags of the values themselves. */
    private static double direct(double[] series) {
        double mean = Arrays.stream(series).average().orElseThrow();
        double time = 1;
        double variance = 0;
        for (int lag = 0; lag < 5 * time; lag++) {
            double sum = 0;
            for (int i = lag; i < series.length; i++) {
                sum += (series[i] - mean) * (series[i - lag] - mean);
            }
            variance = lag == 0 ? sum : variance;
            time += lag == 0 ? 0 : 2 * sum / variance;
        }
        return time;
    }

    @Test
    void sumsCorrelations() {
        double[] series = step(1_000);
        assertThat(CorrelationTime.of(series).values()).isCloseTo(direct(series), withPercentage(1e-9));
    }

    /** The result differs a little from the sum over all lags, which would take two minutes for 300,000 values. */
    @Test
    void sumsCorrelationsOfMeansInLongSeries() {
        double[] series = step(20_000);
        double direct = direct(series);
        assertThat(CorrelationTime.of(series).values())
                .isCloseTo(direct, withPercentage(1))
                .isNotCloseTo(direct, withPercentage(1e-6));
    }

    @Test
    void isOneForConstantSeries() {
        assertThat(CorrelationTime.of(new double[] {}).values()).isEqualTo(1);
        assertThat(CorrelationTime.of(new double[] {7, 7, 7}).values()).isEqualTo(1);
    }
}
