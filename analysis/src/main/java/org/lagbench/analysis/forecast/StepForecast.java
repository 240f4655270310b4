package org.lagbench.analysis.forecast;

import java.util.List;

/**
 * The forecast of one later value. Numbers have the unit of the series; NaN where there is no value, or no error, yet.
 *
 * @param step 1 for the next value
 * @param forecast the selected forecast
 * @param forecaster name of the selected forecaster
 * @param uses name of the primary forecaster that it uses: itself unless it is derived
 * @param mseInterval forecast ± 2√MSE of the selected forecasts so far (Krintz and Wolski 2000, section 5.2)
 * @param conformalInterval adaptive conformal interval for 95 % of the values
 * @param errors number of past values whose forecasts were scored
 * @param mse mean squared error of the forecasts that were selected
 * @param mae mean absolute error of the forecasts that were selected
 * @param forecasters all forecasters at this step
 */
public record StepForecast(
        int step,
        double forecast,
        String forecaster,
        String uses,
        CoveredInterval mseInterval,
        CoveredInterval conformalInterval,
        long errors,
        double mse,
        double mae,
        List<ForecasterScore> forecasters) {
    public ForecasterScore score(String name) {
        return forecasters.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
