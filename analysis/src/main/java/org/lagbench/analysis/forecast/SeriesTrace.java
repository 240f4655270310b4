package org.lagbench.analysis.forecast;

import java.nio.file.Path;
import java.util.Arrays;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles;

/**
 * A series over time for a chart, in intervals of equal length. Its size does not depend on the number of values.
 * Intervals without a value have NaN.
 *
 * @param firstNs beginning of the first interval in ns since the epoch
 * @param intervalNs length of an interval in ns
 * @param means the mean value in each interval
 * @param lows the smallest value
 * @param highs the largest value
 * @param forecasts the mean of the forecasts that were made before each of these values
 */
@SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
public record SeriesTrace(
        long firstNs, double intervalNs, double[] means, double[] lows, double[] highs, double[] forecasts) {
    /** Returns the trace of a series that has records. */
    public static SeriesTrace of(Path session, SeriesSummary summary, int intervals) throws LagbenchException {
        SeriesForecaster forecaster =
                new SeriesForecaster(Selection.PAPER, 1, summary.series().domain());
        long firstNs = summary.firstNs();
        double intervalNs = Math.max(1, summary.lastNs() - firstNs + 1) / (double) intervals;
        long[] counts = new long[intervals];
        long[] forecastCounts = new long[intervals];
        double[] sums = new double[intervals];
        double[] forecastSums = new double[intervals];
        double[] lows = new double[intervals];
        double[] highs = new double[intervals];
        Arrays.fill(lows, Double.NaN);
        Arrays.fill(highs, Double.NaN);
        SeriesFiles.read(session, summary.series().name(), firstNs, summary.lastNs() + 1, (atNs, value, state) -> {
            double forecast = forecaster.next();
            forecaster.learn(value);
            if (Double.isNaN(value)) {
                return;
            }
            int at = (int) Math.min(intervals - 1, (atNs - firstNs) / intervalNs);
            lows[at] = counts[at] == 0 ? value : Math.min(lows[at], value);
            highs[at] = counts[at] == 0 ? value : Math.max(highs[at], value);
            counts[at]++;
            sums[at] += value;
            if (!Double.isNaN(forecast)) {
                forecastCounts[at]++;
                forecastSums[at] += forecast;
            }
        });
        return new SeriesTrace(
                firstNs, intervalNs, means(sums, counts), lows, highs, means(forecastSums, forecastCounts));
    }

    private static double[] means(double[] sums, long[] counts) {
        double[] means = new double[sums.length];
        for (int i = 0; i < sums.length; i++) {
            means[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
        }
        return means;
    }

    /** Returns the middle of an interval in ns after the first one's beginning. */
    public double middleNs(int interval) {
        return (interval + 0.5) * intervalNs;
    }
}
