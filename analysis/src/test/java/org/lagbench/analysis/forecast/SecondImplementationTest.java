package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.forecast.SeriesForecast.ForecasterScore;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

/**
 * Compares all forecasters of the Network Weather Service with a slow implementation. They may differ only where the
 * errors of two forecasters are equal but for rounding.
 */
@Tag("one-java")
class SecondImplementationTest {
    private static final int SERIES = 1000;
    private static final double TOLERANCE = 1e-9;

    @Test
    void agreesOnRandomSeries() {
        assertThat(IntStream.range(0, SERIES).parallel().mapToObj(SecondImplementationTest::difference))
                .allMatch(String::isEmpty);
    }

    /** Returns the first difference in a series, or "". */
    private static String difference(int seed) {
        double[] series = series(new Random(seed), seed % 5, seed % 2 == 0);
        SeriesForecaster fast = new SeriesForecaster(Selection.PAPER, 1, Domain.ANY);
        NaiveForecasts slow = new NaiveForecasts();
        Set<Integer> tied = new HashSet<>();
        for (int at = 0; at < series.length; at++) {
            fast.learn(series[at]);
            slow.learn(series[at]);
            double[] expected = slow.forecasts();
            List<ForecasterScore> actual = fast.seriesForecast().next().forecasters();
            for (int i = 0; i < expected.length; i++) {
                double forecast = actual.get(i).forecast();
                if (isDifferent(forecast, expected[i])) {
                    if (i < 18 || !slow.isTied(i, forecast)) {
                        return "series " + seed + ", value " + at + ", forecaster " + i + ": " + forecast
                                + " instead of " + expected[i];
                    }
                    tied.add(i);
                }
            }
        }
        List<ForecasterScore> scores = fast.seriesForecast().next().forecasters();
        for (int i = 0; i < 34; i++) {
            boolean hasOtherErrors = isDifferent(scores.get(i).mse(), slow.meanError(i, true))
                    || isDifferent(scores.get(i).mae(), slow.meanError(i, false));
            if (hasOtherErrors && !tied.contains(i)) {
                return "series " + seed + ", errors of forecaster " + i;
            }
        }
        return tied.size() > 3 ? "series " + seed + " has many ties" : "";
    }

    private static boolean isDifferent(double actual, double expected) {
        return !(Math.abs(actual - expected) <= TOLERANCE * Math.max(1, Math.abs(expected)));
    }

    /**
     * Returns a series with drift, steps, spikes, no change or many missing values. A part of it is on a grid, so that
     * errors tie.
     */
    private static double[] series(Random random, int kind, boolean isOnGrid) {
        // the longest history of a derived forecaster is 100
        double[] series = new double[random.nextInt(10) == 0 ? 110 + random.nextInt(40) : 20 + random.nextInt(50)];
        double level = 100;
        for (int i = 0; i < series.length; i++) {
            level += kind == 0 ? 0.5 : kind == 1 && random.nextInt(25) == 0 ? 20 * random.nextGaussian() : 0;
            double noise = kind == 3 ? 0 : random.nextGaussian();
            double spike = kind == 2 && random.nextInt(20) == 0 ? 1e3 * random.nextDouble() : 0;
            double value = level + noise + spike;
            boolean isMissing = random.nextInt(kind == 4 ? 3 : 30) == 0;
            series[i] = isMissing ? Double.NaN : isOnGrid ? Math.rint(value) : value;
        }
        series[0] = level;
        return series;
    }
}
