package org.lagbench.analysis.forecast;

import java.util.List;

/**
 * The forecasts of the values that follow a series.
 *
 * @param values number of known values
 * @param missing number of missing values
 * @param selection how the forecaster was selected
 * @param levelChanges number of detected changes of level
 * @param lastLevelChange number of the first value after the last one, from 1 and missing values included; 0 if there
 *     was none
 * @param quantiles quantiles of the newest values
 * @param steps the next value, and the values after it
 */
public record SeriesForecast(
        long values,
        long missing,
        Selection selection,
        long levelChanges,
        long lastLevelChange,
        RollingQuantiles quantiles,
        List<StepForecast> steps) {
    public StepForecast next() {
        return steps.get(0);
    }
}
