package org.lagbench.analysis.forecast;

import java.util.Arrays;
import org.lagbench.core.series.Domain;

/** A series with the forecast and the intervals that each value had before it was known. NaN where there was none. */
final class ForecastTrace {
    /** An interval around each forecast. */
    enum Kind {
        MSE,
        CONFORMAL
    }

    private final TimedSeries series;
    private final double[] forecasts;
    private final double[] mse;
    private final double[] conformal;

    private ForecastTrace(TimedSeries series) {
        this.series = series;
        forecasts = new double[series.size()];
        mse = new double[series.size()];
        conformal = new double[series.size()];
    }

    static ForecastTrace of(TimedSeries series, Selection selection) {
        ForecastTrace trace = new ForecastTrace(series);
        SeriesForecaster forecaster = new SeriesForecaster(selection, 1, Domain.ANY);
        trace.forecasts[0] = Double.NaN;
        trace.mse[0] = Double.NaN;
        trace.conformal[0] = Double.NaN;
        for (int i = 0; i < series.size() - 1; i++) {
            forecaster.learn(series.values()[i]);
            trace.forecasts[i + 1] = forecaster.next();
            trace.mse[i + 1] = forecaster.mseHalfWidth();
            trace.conformal[i + 1] = forecaster.conformalHalfWidth();
        }
        return trace;
    }

    TimedSeries series() {
        return series;
    }

    /** Returns the errors of all forecasts, value − forecast, in the order of the values. */
    double[] errors() {
        double[] errors = new double[series.size()];
        int count = 0;
        for (int i = 0; i < errors.length; i++) {
            double error = series.values()[i] - forecasts[i];
            if (!Double.isNaN(error)) {
                errors[count++] = error;
            }
        }
        return Arrays.copyOf(errors, count);
    }

    /** Returns whether this place of the series has an interval. */
    boolean hasInterval(Kind kind, int place) {
        return !Double.isNaN(halfWidths(kind)[place]) && !Double.isNaN(forecasts[place]);
    }

    /** Returns whether the interval at this place contains a value. */
    boolean captures(Kind kind, int place, double value) {
        return Math.abs(value - forecasts[place]) <= halfWidths(kind)[place];
    }

    private double[] halfWidths(Kind kind) {
        return kind == Kind.MSE ? mse : conformal;
    }
}
