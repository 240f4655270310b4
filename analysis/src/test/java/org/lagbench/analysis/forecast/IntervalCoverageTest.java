package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.forecast.SeriesForecast.StepForecast;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

/** Conformal intervals on synthetic series whose errors are not stationary. */
@Tag("one-java")
class IntervalCoverageTest {
    private static final int VALUES = 20_000;
    private static final int SEED = 1;

    @ParameterizedTest
    @ValueSource(strings = {"drift", "steps", "bursts"})
    void conformalIntervalsCapture95Percent(String kind) {
        Random random = new Random(SEED);
        double[] level = {0};
        IntToDoubleFunction value =
                switch (kind) {
                    // a trend, and noise that grows tenfold
                    case "drift" -> i -> 0.01 * i + random.nextGaussian() * (1 + 9.0 * i / VALUES);
                    case "steps" ->
                        i -> {
                            level[0] += i % 250 == 0 ? 60 * random.nextGaussian() : 0;
                            return level[0] + random.nextGaussian();
                        };
                    // noise that is ten times as large in every second block
                    default -> i -> random.nextGaussian() * (i / 1000 % 2 == 0 ? 1 : 10);
                };
        for (Selection selection : Selection.values()) {
            SeriesForecaster forecaster = new SeriesForecaster(selection, 1, Domain.ANY);
            random.setSeed(SEED);
            level[0] = 0;
            for (int i = 0; i < VALUES; i++) {
                forecaster.learn(value.applyAsDouble(i));
            }
            StepForecast next = forecaster.seriesForecast().next();
            assertThat(next.conformalInterval().share()).as(selection.text()).isBetween(0.94, 0.96);
            assertThat(next.mseInterval().share())
                    .as("2√MSE, " + selection.text())
                    .matches(share -> share < 0.94 || share > 0.96);
        }
    }
}
