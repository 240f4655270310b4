package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({"1000, 1e-9", "20000, 1"})
    void sumsCorrelations(int values, double percent) {
        double[] series = step(values);
        assertThat(CorrelationTime.of(series).values()).isCloseTo(direct(series), withPercentage(percent));
    }

    /** The sum over all lags of the values took two minutes. */
    @Test
    void computesLongSeriesInSeconds() {
        double[] series = step(300_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertThat(CorrelationTime.of(series).block()).isBetween(100_000, 300_000));
    }

    @Test
    void isOneForConstantSeries() {
        assertThat(CorrelationTime.of(new double[] {}).values()).isEqualTo(1);
        assertThat(CorrelationTime.of(new double[] {7, 7, 7}).values()).isEqualTo(1);
    }
}
