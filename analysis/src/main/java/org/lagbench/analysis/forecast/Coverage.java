package org.lagbench.analysis.forecast;

import java.util.stream.IntStream;
import org.lagbench.analysis.forecast.ForecastTrace.Kind;
import org.lagbench.analysis.statistics.Ratio;

/**
 * How much of each series one kind of interval covers.
 *
 * @param first the intervals of the first series
 * @param second the intervals of the second series
 * @param required the share of the other series' values that the intervals of each must cover
 */
public record Coverage(Shares first, Shares second, double required) {
    static Coverage of(Kind kind, ForecastTrace first, ForecastTrace second, Pairs pairs, double required) {
        return new Coverage(
                Shares.of(first, pairs.first(), second.series(), pairs.second(), kind),
                Shares.of(second, pairs.second(), first.series(), pairs.first(), kind),
                required);
    }

    /** Returns whether the intervals of each series cover enough of the other's values: equally predictable. */
    public boolean isEquivalent() {
        return first.other() >= required && second.other() >= required;
    }

    /**
     * The shares of values inside the intervals of one series.
     *
     * @param own share of the series' own values
     * @param other share of the other series' values, each in the interval of the value with which it is a pair
     */
    public record Shares(double own, double other) {
        private static Shares of(ForecastTrace trace, int[] places, TimedSeries other, int[] otherPlaces, Kind kind) {
            int[] all = IntStream.range(0, trace.series().size()).toArray();
            return new Shares(
                    share(trace, kind, all, trace.series(), all), share(trace, kind, places, other, otherPlaces));
        }

        /** Returns the share of known values inside the intervals of their places; NaN if no place has one. */
        private static double share(ForecastTrace trace, Kind kind, int[] places, TimedSeries values, int[] of) {
            long inside = 0;
            long all = 0;
            for (int i = 0; i < places.length; i++) {
                double value = values.values()[of[i]];
                if (!Double.isNaN(value) && trace.hasInterval(kind, places[i])) {
                    all++;
                    inside += trace.captures(kind, places[i], value) ? 1 : 0;
                }
            }
            return Ratio.of(inside, all);
        }
    }
}
