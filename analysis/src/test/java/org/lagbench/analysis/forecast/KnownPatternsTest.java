package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

/** Forecasts of rates that follow a known pattern, with noise of variance 1, against two simple forecasts. */
@Tag("one-java")
class KnownPatternsTest {
    private static final int VALUES = 20_000;
    private static final double LOW = 10;
    private static final double HIGH = 20;

    /** A pattern, from 10 to 20 Mb/s. */
    enum Pattern {
        /** Alternates between the two rates every 300 values. */
        STEP {
            @Override
            double at(int i) {
                return i / 300 % 2 == 0 ? HIGH : LOW;
            }
        },
        /** Falls for 600 values, then jumps back. */
        SAWTOOTH {
            @Override
            double at(int i) {
                return HIGH - (HIGH - LOW) * (i % 600) / 600;
            }
        },
        /** A sine with a period of one day; a value every 12 s. */
        DAY_AND_NIGHT {
            @Override
            double at(int i) {
                return (LOW + HIGH) / 2 + (HIGH - LOW) / 2 * Math.sin(2 * Math.PI * i / 7_200);
            }
        };

        abstract double at(int i);
    }

    @ParameterizedTest
    @EnumSource
    void beatsLastValueAndRunningMean(Pattern pattern) {
        for (Selection selection : Selection.values()) {
            Random random = new Random(1);
            SeriesForecaster forecaster = new SeriesForecaster(selection, 1, Domain.ANY);
            double forecasts = 0;
            double lastValues = 0;
            double means = 0;
            double last = 0;
            double sum = 0;
            for (int i = 0; i < VALUES; i++) {
                double value = pattern.at(i) + random.nextGaussian();
                if (i > 0) {
                    forecasts += Math.pow(value - forecaster.next(), 2);
                    lastValues += Math.pow(value - last, 2);
                    means += Math.pow(value - sum / i, 2);
                }
                forecaster.learn(value);
                last = value;
                sum += value;
            }
            assertThat(forecasts / (VALUES - 1))
                    .as(pattern + ", " + selection.text())
                    .isGreaterThan(1) // the noise, which nothing can forecast
                    .isLessThan(0.8 * lastValues / (VALUES - 1))
                    .isLessThan(0.5 * means / (VALUES - 1));
        }
    }
}
