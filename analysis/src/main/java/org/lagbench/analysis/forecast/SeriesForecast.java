package org.lagbench.analysis.forecast;

import java.util.List;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.model.TextEnum;

/**
 * The forecasts of the values that follow a series. Numbers have the unit of the series; NaN where there is no value,
 * or no error, yet.
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

    /**
     * The forecast of one later value.
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
            List<ForecasterScore> forecasters) {}

    /**
     * A forecaster and its errors.
     *
     * @param name its name in tables and files
     * @param forecast its forecast
     * @param mse mean squared error of its forecasts so far
     * @param mae mean absolute error of its forecasts so far
     */
    public record ForecasterScore(String name, ForecasterKind kind, double forecast, double mse, double mae) {}

    /** Where a forecaster comes from. */
    public enum ForecasterKind implements TextEnum {
        /** One of the 18 forecasters of the Network Weather Service that compute their forecasts from values. */
        PRIMARY,
        /** A forecaster of the Network Weather Service that selects a primary one by its past errors; there are 16. */
        DERIVED
    }

    /**
     * An interval for the next value, and how many past values such intervals captured.
     *
     * @param low lower end, NaN if there were too few errors
     * @param high upper end, NaN if there were too few errors
     * @param intervals number of past values that had an interval
     * @param captured number of past values inside their intervals, ends included
     */
    public record CoveredInterval(double low, double high, long intervals, long captured) {
        /** Returns the share of past values inside their intervals; NaN if none had one. */
        public double share() {
            return (double) captured / intervals;
        }
    }

    /**
     * Quantiles of the newest {@value #WINDOW} values, by estimator R-7.
     *
     * @param values number of values from which they were computed
     */
    public record RollingQuantiles(int values, double q05, double q25, double median, double q75, double q95) {
        static final int WINDOW = 101;

        /** Returns the quantiles of the newest values of a series. */
        static RollingQuantiles of(ValueWindow recent) {
            double[] quantiles = recent.quantiles(WINDOW, .05, .25, .5, .75, .95);
            return new RollingQuantiles(
                    recent.count(), quantiles[0], quantiles[1], quantiles[2], quantiles[3], quantiles[4]);
        }
    }
}
