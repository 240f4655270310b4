package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.analysis.forecast.SeriesForecast.CoveredInterval;
import org.lagbench.analysis.forecast.SeriesForecast.RollingQuantiles;
import org.lagbench.analysis.forecast.SeriesForecast.StepForecast;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

class SeriesForecasterTest {
    private static SeriesForecast forecast(int steps, double... values) {
        SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, steps, Domain.ANY);
        DoubleStream.of(values).forEach(forecaster::learn);
        return forecaster.seriesForecast();
    }

    @Test
    void scoresEachHorizonByItsOwnForecasts() {
        SeriesForecast forecast = forecast(3, 0, 1, 2, 3, 4);
        for (int step = 1; step <= 3; step++) {
            StepForecast ahead = forecast.steps().get(step - 1);
            assertThat(ahead.step()).isEqualTo(step);
            assertThat(ahead.errors()).isEqualTo(5 - step);
            assertThat(KnownAnswersTest.score(ahead, "last value").forecast()).isEqualTo(4);
            assertThat(KnownAnswersTest.score(ahead, "last value").mse()).isEqualTo(step * step);
            assertThat(KnownAnswersTest.score(ahead, "last value").mae()).isEqualTo(step);
        }
    }

    @Test
    void missingValuesTakeAPlaceButAreNotScored() {
        SeriesForecast forecast = forecast(2, Double.NaN, 10, Double.NaN, 12);
        assertThat(forecast.values()).isEqualTo(2);
        assertThat(forecast.missing()).isEqualTo(2);
        StepForecast next = forecast.next();
        assertThat(next.errors()).isEqualTo(1);
        assertThat(KnownAnswersTest.score(next, "last value").mse()).isEqualTo(4);
        assertThat(KnownAnswersTest.score(next, "running mean").forecast()).isEqualTo(11);
        // two values ahead, the value 12 was forecast when 10 was the last value
        assertThat(forecast.steps().get(1).errors()).isEqualTo(1);
        assertThat(forecast.steps().get(1).mae()).isEqualTo(2);
    }

    @Test
    void windowsSkipMissingValues() {
        SeriesForecast gaps = forecast(1, 1, Double.NaN, 2, Double.NaN, Double.NaN, 3, 4, Double.NaN, 5, 6);
        SeriesForecast whole = forecast(1, 1, 2, 3, 4, 5, 6);
        for (String name : PrimaryForecasters.NAMES) {
            assertThat(KnownAnswersTest.score(gaps.next(), name).forecast())
                    .as(name)
                    .isEqualTo(KnownAnswersTest.score(whole.next(), name).forecast());
        }
    }

    @Test
    void detectsAChangeOfLevelButNoSpike() {
        Random random = new Random(4);
        SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, 1, Domain.ANY);
        for (int i = 0; i < 60; i++) {
            // seven values far away are a spike
            forecaster.learn(10 + random.nextGaussian() + (i >= 40 && i < 47 ? 50 : 0));
        }
        assertThat(forecaster.seriesForecast().levelChanges()).isZero();
        assertThat(forecaster.seriesForecast().lastLevelChange()).isZero();
        forecaster.learn(Double.NaN);
        for (int i = 0; i < 8; i++) {
            forecaster.learn(80 + random.nextGaussian());
        }
        SeriesForecast forecast = forecaster.seriesForecast();
        assertThat(forecast.levelChanges()).isEqualTo(1);
        assertThat(forecast.lastLevelChange()).isEqualTo(62);
    }

    @Test
    void aDriftIsNoChangeOfLevel() {
        Random random = new Random(5);
        SeriesForecaster forecaster = new SeriesForecaster(Selection.NWS, 1, Domain.ANY);
        for (int i = 0; i < 5000; i++) {
            forecaster.learn(0.3 * i + random.nextGaussian());
        }
        assertThat(forecaster.seriesForecast().levelChanges()).isZero();
    }

    @Test
    void constantSeriesHasEmptyIntervals() {
        StepForecast next =
                forecast(1, DoubleStream.generate(() -> 5).limit(200).toArray()).next();
        assertThat(next.forecast()).isEqualTo(5);
        assertThat(next.mse()).isZero();
        assertThat(next.conformalInterval().low()).isEqualTo(5);
        assertThat(next.conformalInterval().high()).isEqualTo(5);
        assertThat(next.conformalInterval().share()).isEqualTo(1);
    }

    @Test
    void paperIntervalIsTwiceRootOfMse() {
        StepForecast next = forecast(1, 10, 12, 11, 30, 12, 11, 10, 12).next();
        assertThat(next.mseInterval().high() - next.forecast()).isCloseTo(2 * Math.sqrt(next.mse()), within(1e-12));
        assertThat(next.mseInterval().intervals()).isEqualTo(6);
        assertThat(next.conformalInterval().low()).isNaN();
    }

    @ParameterizedTest
    @EnumSource(Domain.class)
    void intervalsStayWithinTheDomain(Domain domain) {
        SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, 1, domain);
        for (int i = 0; i < 40; i++) {
            forecaster.learn(i % 2 == 0 ? 2 : 99); // both ends of its intervals are beyond the values
        }
        for (CoveredInterval interval : List.of(forecaster.mseInterval(), forecaster.conformalInterval())) {
            assertThat(interval.low())
                    .isEqualTo(domain == Domain.ANY ? interval.low() : 0)
                    .isLessThan(2);
            assertThat(interval.high())
                    .isEqualTo(domain == Domain.PERCENT ? 100 : interval.high())
                    .isGreaterThan(99);
        }
    }

    @Test
    void quantilesAreThoseOfTheNewestValues() {
        SeriesForecast forecast =
                forecast(1, DoubleStream.iterate(0, i -> i + 1).limit(300).toArray());
        assertThat(forecast.quantiles()).isEqualTo(new RollingQuantiles(101, 204, 224, 249, 274, 294));
    }

    @Test
    void rejectsInvalidStepsAndInfiniteValues() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SeriesForecaster(Selection.PAPER, 0, Domain.ANY));
        assertThatIllegalArgumentException().isThrownBy(() -> forecast(1, Double.POSITIVE_INFINITY));
    }
}
