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

    /**
     * Detects changes of level: {@value #RUN} consecutive values on the same side of the median of the newest
     * {@value #WINDOW} values before them, farther from it than three standard deviations. A spike is shorter, and a
     * drift moves the median along. The standard deviation is the interquartile range divided by 1.349, that of a
     * normal distribution. After a change only the values since then count.
     */
    static final class LevelChanges {
        static final int RUN = 8;
        static final int WINDOW = 31;

        private static final int MIN = 16;
        private static final double DEVIATIONS = 3;
        private static final double QUARTILES_PER_DEVIATION = 1.349;

        private final ValueWindow window = new ValueWindow(WINDOW);

        /** Length of the current run of values far above (positive) or far below (negative) the median. */
        private int run;

        private double median;
        private double reach;
        private long first;
        private long last;
        private long changes;

        /**
         * Learns a value.
         *
         * @param number the number of the value
         */
        void learn(double value, long number) {
            boolean isReady = run != 0 || window.count() >= MIN;
            if (run == 0 && isReady) {
                double[] sorted = window.sorted(WINDOW);
                median = window.median(WINDOW);
                reach = DEVIATIONS * (quantile(sorted, .75) - quantile(sorted, .25)) / QUARTILES_PER_DEVIATION;
            }
            int side = !isReady || Math.abs(value - median) <= reach ? 0 : value > median ? 1 : -1;
            if (side != 0 && side == Integer.signum(run)) {
                run += side;
            } else {
                run = side;
                first = number;
            }
            window.add(value);
            if (Math.abs(run) == RUN) {
                changes++;
                last = first;
                run = 0;
                window.keep(RUN);
            }
        }

        /** Returns a quantile of sorted values by estimator R-7. */
        private static double quantile(double[] sorted, double probability) {
            double h = (sorted.length - 1) * probability;
            int below = (int) h;
            int above = Math.min(below + 1, sorted.length - 1);
            return sorted[below] + (h - below) * (sorted[above] - sorted[below]);
        }

        /** Returns the number of the first value after the last change; 0 if there was none. */
        long last() {
            return last;
        }

        long changes() {
            return changes;
        }
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
