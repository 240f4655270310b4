package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.forecast.SeriesForecast.ForecasterKind;
import org.lagbench.analysis.forecast.SeriesForecast.ForecasterScore;
import org.lagbench.analysis.forecast.SeriesForecast.StepForecast;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

/** Forecasts of a short series that were computed by hand. */
class KnownAnswersTest {
    private static final double LAST_DIGIT = 0.5e-6;

    private final StepForecast next = forecast(Selection.PAPER, 10, 12, 11, 30, 12, 11, 10, 12);

    static StepForecast forecast(Selection selection, double... values) {
        SeriesForecaster forecaster = new SeriesForecaster(selection, 1, Domain.ANY);
        DoubleStream.of(values).forEach(forecaster::learn);
        return forecaster.seriesForecast().next();
    }

    /** Returns the score of the forecaster with a name. */
    static ForecasterScore score(StepForecast forecast, String name) {
        return forecast.forecasters().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "last value,         12,        99.428571, 6.285714",
        "running mean,       13.5,      59.539865, 4.971088",
        "smoothing .05,      11.157567, 57.423819, 3.693815",
        "smoothing .50,      11.90625,  68.284040, 5.508929",
        "median of 5,        12,        53.035714, 3.642857",
        "median of 31,       11.5,      52.785714, 3.571429",
        "mean of 5,          15,        61.420357, 5.25",
        "trimmed mean of 31, 11.5,      52.626984, 3.476190"
    })
    void computesKnownAnswers(String name, double forecast, double mse, double mae) {
        ForecasterScore score = score(next, name);
        assertThat(score.forecast()).isCloseTo(forecast, within(LAST_DIGIT));
        assertThat(score.mse()).isCloseTo(mse, within(LAST_DIGIT));
        assertThat(score.mae()).isCloseTo(mae, within(LAST_DIGIT));
        assertThat(next.errors()).isEqualTo(7);
    }

    @Test
    void selectsFirstOfEqualMse() {
        List<ForecasterScore> primary = next.forecasters().subList(0, 18);
        assertThat(primary).allMatch(score -> score.kind() == ForecasterKind.PRIMARY);
        assertThat(primary.stream()
                        .min(Comparator.comparingDouble(ForecasterScore::mse))
                        .orElseThrow()
                        .name())
                .isEqualTo("trimmed mean of 31");
        assertThat(score(next, "trimmed mean of 51").mse())
                .isEqualTo(score(next, "trimmed mean of 31").mse());
        assertThat(next.forecaster()).isEqualTo("trimmed mean of 31");
        assertThat(next.forecast()).isEqualTo(11.5);
        assertThat(score(next, "least MSE").forecast()).isEqualTo(11.5);
    }

    @Test
    void derivedForecastersUseTheErrorsOfTheLastValues() {
        // smoothing .10 forecast 11.893708 for the last value, 12; no other forecast was nearer
        assertThat(score(next, "least MSE of the last 1").forecast()).isCloseTo(11.904337, within(LAST_DIGIT));
        assertThat(score(next, "least MAE of the last 1").forecast()).isCloseTo(11.904337, within(LAST_DIGIT));
        // a series that rises: the last value is nearest, now and before
        StepForecast rising = forecast(Selection.NWS, 1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(score(rising, "least MSE of the last 5").forecast()).isEqualTo(8);
        assertThat(rising.forecaster()).isEqualTo("least MSE");
        assertThat(rising.uses()).isEqualTo("last value");
    }

    @Test
    void hasAllForecasters() {
        assertThat(next.forecasters().stream().filter(score -> score.kind() == ForecasterKind.DERIVED))
                .hasSize(16);
        assertThat(next.forecasters().stream().map(ForecasterScore::name)).doesNotHaveDuplicates();
    }

    @Test
    void scoresNothingBeforeTheSecondValue() {
        StepForecast first = forecast(Selection.PAPER, 7);
        assertThat(first.errors()).isZero();
        assertThat(first.forecast()).isEqualTo(7);
        assertThat(first.mse()).isNaN();
        assertThat(forecast(Selection.MAE).forecast()).isNaN();
    }
}
