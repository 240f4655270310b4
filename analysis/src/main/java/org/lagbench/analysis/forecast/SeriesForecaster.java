package org.lagbench.analysis.forecast;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lagbench.analysis.forecast.SeriesForecast.CoveredInterval;
import org.lagbench.analysis.forecast.SeriesForecast.RollingQuantiles;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

/**
 * Forecasts a series while its values arrive. Each forecast is scored when its value arrives, before the forecasters
 * are updated with it.
 *
 * <p>A missing value is not scored and not learned, and windows skip it. It takes a place in the series, so that a
 * forecast several values ahead is scored by the value that it predicts.
 *
 * <p>A change of level restarts no forecaster; the derived ones react through their latest errors.
 *
 * <p>A value costs several microseconds, regardless of the number of values. Not thread-safe.
 */
public final class SeriesForecaster {
    /** The maximum number of values that a forecast may look ahead. */
    public static final int MAX_STEP = 100;

    private final Selection selection;
    private final PrimaryForecasters primary = new PrimaryForecasters();
    private final LevelChanges changes = new LevelChanges();
    private final ValueWindow recent = new ValueWindow(RollingQuantiles.WINDOW);
    private final Horizon[] horizons;
    private long values;
    private long missing;

    /**
     * Creates a forecaster of a series without values.
     *
     * @param steps how many values ahead it forecasts, from 1 to {@value #MAX_STEP}
     * @param domain the values that the series can have, which intervals do not leave
     */
    public SeriesForecaster(Selection selection, int steps, Domain domain) {
        if (steps < 1 || steps > MAX_STEP) {
            throw new IllegalArgumentException(steps + " steps are not from 1 to " + MAX_STEP);
        }
        this.selection = selection;
        horizons = IntStream.rangeClosed(1, steps)
                .mapToObj(step -> new Horizon(step, selection, domain))
                .toArray(Horizon[]::new);
    }

    /** Scores the forecasts of a value, then learns it and forecasts again. */
    public void learn(double value) {
        if (Double.isNaN(value)) {
            skip();
            return;
        }
        if (Double.isInfinite(value)) {
            throw new IllegalArgumentException("an infinite value cannot be forecast");
        }
        values++;
        for (Horizon horizon : horizons) {
            horizon.score(value);
        }
        primary.learn(value);
        recent.add(value);
        changes.learn(value, values + missing);
        forecast();
    }

    /** Learns a missing value, like {@link #learn} with NaN. */
    public void skip() {
        missing++;
        forecast();
    }

    private void forecast() {
        for (Horizon horizon : horizons) {
            horizon.forecast(primary.forecasts());
        }
    }

    /** Returns the forecast of the next value; NaN before the first value. */
    public double next() {
        return horizons[0].newest().selected();
    }

    /** Returns the name of the forecaster of the next value. */
    public String selected() {
        return horizons[0].selectedName();
    }

    /** Returns 2√MSE, the half width of Krintz and Wolski's interval of the next value; NaN before the first error. */
    double mseHalfWidth() {
        return horizons[0].newest().mseHalfWidth();
    }

    /** Returns the half width of the conformal interval of the next value; NaN before enough errors. */
    public double conformalHalfWidth() {
        return horizons[0].newest().conformalHalfWidth();
    }

    /** Returns Krintz and Wolski's interval of the next value; its ends are NaN before the first error. */
    public CoveredInterval mseInterval() {
        return horizons[0].mseInterval();
    }

    /** Returns the conformal interval of the next value; its ends are NaN before enough errors. */
    public CoveredInterval conformalInterval() {
        return horizons[0].conformalInterval();
    }

    public SeriesForecast seriesForecast() {
        return new SeriesForecast(
                values,
                missing,
                selection,
                changes.changes(),
                changes.last(),
                RollingQuantiles.of(recent),
                Stream.of(horizons).map(Horizon::stepForecast).toList());
    }

    /** How the forecaster of the next value is selected from those of the Network Weather Service. */
    public enum Selection implements TextEnum {
        /** The primary forecaster with the lowest mean squared error of all values so far (Krintz and Wolski 2000). */
        PAPER,
        /**
         * The derived forecaster with the lowest squared error accumulated so far, as the Network Weather Service does.
         */
        NWS,
        /** The primary forecaster with the lowest mean absolute error of all values so far. */
        MAE
    }
}
