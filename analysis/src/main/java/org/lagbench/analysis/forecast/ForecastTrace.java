package org.lagbench.analysis.forecast;

import java.util.Arrays;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

/**
 * The forecast and the intervals that each value of a series had before it was known. NaN where there was none.
 *
 * @param values the series
 * @param forecasts the forecast of each value
 * @param mse the half width of each forecast's interval of {@link SeriesForecaster#mseInterval}
 * @param conformal the half width of its interval of {@link SeriesForecaster#conformalInterval}
 */
@SuppressWarnings("ArrayRecordComponent") // millions of numbers, never compared
record ForecastTrace(double[] values, double[] forecasts, double[] mse, double[] conformal) {
    static ForecastTrace of(TimedSeries series, Selection selection) {
        int size = series.size();
        ForecastTrace trace = new ForecastTrace(series.values(), new double[size], new double[size], new double[size]);
        SeriesForecaster forecaster = new SeriesForecaster(selection, 1, Domain.ANY);
        for (int i = 0; i < size; i++) {
            trace.forecasts[i] = forecaster.next();
            trace.mse[i] = forecaster.mseHalfWidth();
            trace.conformal[i] = forecaster.conformalHalfWidth();
            forecaster.learn(trace.values[i]);
        }
        return trace;
    }

    /** Returns the errors of all forecasts, value − forecast, in the order of the values. */
    double[] errors() {
        double[] errors = new double[values.length];
        Arrays.setAll(errors, i -> values[i] - forecasts[i]);
        return Arrays.stream(errors).filter(error -> !Double.isNaN(error)).toArray();
    }

    /**
     * Returns the share of known values inside intervals of this series; NaN if none has an interval.
     *
     * @param halfWidths of one kind of interval
     * @param places the values of this series whose intervals are used, by their indices
     * @param others the values, that at {@code of[i]} in the interval at {@code places[i]}
     */
    double share(double[] halfWidths, int[] places, double[] others, int[] of) {
        long inside = 0;
        long all = 0;
        for (int i = 0; i < places.length; i++) {
            double distance = Math.abs(others[of[i]] - forecasts[places[i]]);
            if (!Double.isNaN(distance) && !Double.isNaN(halfWidths[places[i]])) {
                all++;
                inside += distance <= halfWidths[places[i]] ? 1 : 0;
            }
        }
        return (double) inside / all;
    }

    /**
     * The pairs of two series, in the order of time: two values that are each the nearest in time to the other. A value
     * is in one pair at most. Pairs with a missing value are left out.
     *
     * @param first the first series' value of each pair, as its index
     * @param second the second series' value of each pair, as its index
     */
    @SuppressWarnings("ArrayRecordComponent") // millions of numbers, never compared
    record Pairs(int[] first, int[] second) {
        static Pairs of(TimedSeries a, TimedSeries b) {
            // of two equally near values, one series selects the earlier and the other the later, so that ties form
            // pairs
            int[] nearestInB = nearest(a.times(), b.times(), false);
            int[] nearestInA = nearest(b.times(), a.times(), true);
            int[] first = new int[Math.min(a.size(), b.size())];
            int[] second = new int[first.length];
            int count = 0;
            for (int i = 0; i < a.size(); i++) {
                int j = nearestInB[i];
                if (nearestInA[j] == i && !Double.isNaN(a.values()[i]) && !Double.isNaN(b.values()[j])) {
                    first[count] = i;
                    second[count++] = j;
                }
            }
            return new Pairs(Arrays.copyOf(first, count), Arrays.copyOf(second, count));
        }

        /** Returns the index of the nearest time among others, for each time. */
        private static int[] nearest(double[] times, double[] others, boolean isLater) {
            int[] nearest = new int[times.length];
            int next = 0;
            for (int i = 0; i < times.length; i++) {
                while (next < others.length && others[next] < times[i]) {
                    next++;
                }
                if (next == 0) {
                    nearest[i] = 0;
                } else if (next == others.length) {
                    nearest[i] = next - 1;
                } else {
                    double before = times[i] - others[next - 1];
                    double after = others[next] - times[i];
                    nearest[i] = before < after || (before == after && !isLater) ? next - 1 : next;
                }
            }
            return nearest;
        }
    }
}
