package org.lagbench.monitor.live;

import java.util.Locale;

/**
 * The part of a track in a time range as a limited number of columns, each with least, greatest and mean value, and the
 * mean forecast and interval: what a chart of that many pixels can show.
 */
final class TrackColumns {
    private static final double NS_PER_S = 1e9;

    private final StringBuilder json = new StringBuilder("[");
    private final long fromNs;
    private long atNs;
    private int values;
    private int missing;
    private double least;
    private double greatest;
    private double sum;
    private int forecasts;
    private double forecastSum;
    private int intervals;
    private double halfWidthSum;
    private int forecaster;

    private TrackColumns(long fromNs) {
        this.fromNs = fromNs;
        clear();
    }

    /**
     * Returns a JSON array of columns: seconds since {@code fromNs}, mean, least, greatest, forecast, half width,
     * number of missing values, number of the forecaster. There is a column for each record if there are at most so
     * many.
     */
    static String json(Track track, long fromNs, long untilNs, int columns) {
        int first = track.firstFrom(fromNs);
        int end = track.firstFrom(untilNs);
        TrackColumns made = new TrackColumns(fromNs);
        boolean isEach = end - first <= columns;
        double perNs = columns / (double) (untilNs - fromNs);
        int column = -1;
        for (int i = first; i < end; i++) {
            long at = track.atNs(i);
            int its = (int) ((at - fromNs) * perNs);
            if (isEach || its != column) {
                made.finish();
                column = its;
                made.atNs = isEach ? at : fromNs + (long) ((its + .5) / perNs);
            }
            made.add(track, i);
        }
        made.finish();
        return made.json.append(']').toString();
    }

    private void add(Track track, int index) {
        double value = track.value(index);
        if (Double.isNaN(value)) {
            missing++;
        } else {
            values++;
            sum += value;
            least = Math.min(least, value);
            greatest = Math.max(greatest, value);
        }
        double forecast = track.forecast(index);
        if (!Double.isNaN(forecast)) {
            forecasts++;
            forecastSum += forecast;
            forecaster = track.forecaster(index);
        }
        double halfWidth = track.halfWidth(index);
        if (!Double.isNaN(halfWidth)) {
            intervals++;
            halfWidthSum += halfWidth;
        }
    }

    private void finish() {
        if (values + missing == 0) {
            return;
        }
        json.append(json.length() == 1 ? "[" : ",[")
                .append(String.format(Locale.ROOT, "%.3f", (atNs - fromNs) / NS_PER_S));
        number(sum / values);
        number(least);
        number(greatest);
        number(forecastSum / forecasts);
        number(halfWidthSum / intervals);
        json.append(',').append(missing).append(',').append(forecaster).append(']');
        clear();
    }

    private void number(double number) {
        json.append(',');
        if (Double.isFinite(number)) {
            json.append((float) number);
        } else {
            json.append("null");
        }
    }

    private void clear() {
        values = 0;
        missing = 0;
        least = Double.POSITIVE_INFINITY;
        greatest = Double.NEGATIVE_INFINITY;
        sum = 0;
        forecasts = 0;
        forecastSum = 0;
        intervals = 0;
        halfWidthSum = 0;
        forecaster = -1;
    }
}
