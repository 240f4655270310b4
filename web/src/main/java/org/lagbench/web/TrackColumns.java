package org.lagbench.web;

/**
 * The part of a track in a time range as a limited number of columns, each with least, greatest and mean value, and the
 * mean forecast and interval: what a chart of that many pixels can show.
 */
final class TrackColumns {
    private static final long NS_PER_MS = 1_000_000;
    private static final long MS_PER_S = 1_000;

    private final StringBuilder json = new StringBuilder("[");
    private final long fromNs;
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
     * number of missing values, number of the forecaster. There is a column for each record if there are at most
     * {@code columns} of them.
     */
    static String json(Track track, long fromNs, long untilNs, int columns) {
        int first = track.firstFrom(fromNs);
        int end = track.firstFrom(untilNs);
        TrackColumns made = new TrackColumns(fromNs);
        if (end - first <= columns) {
            for (int i = first; i < end; i++) {
                made.add(track, i);
                made.finish(track.atNs(i));
            }
        } else {
            double columnNs = (untilNs - fromNs) / (double) columns;
            int next = first;
            for (int column = 0; column < columns; column++) {
                int from = next;
                next = Math.min(end, track.firstFrom(fromNs + (long) Math.ceil((column + 1) * columnNs)));
                made.addAll(track, from, next);
                made.finish(fromNs + (long) ((column + .5) * columnNs));
            }
        }
        return made.json.append(']').toString();
    }

    private void addAll(Track track, int from, int until) {
        int forecastSize = track.forecastSize();
        int i = from;
        while (i < until) {
            int end = i + TrackBlocks.RECORDS;
            boolean hasAllForecastsOrNone = forecastSize >= end || forecastSize <= i;
            if (i % TrackBlocks.RECORDS == 0 && end <= until && hasAllForecastsOrNone) {
                addBlock(track.blocks(), i, forecastSize >= end);
                i = end;
            } else {
                add(track, i++);
            }
        }
    }

    private void addBlock(TrackBlocks blocks, int index, boolean hasForecasts) {
        int count = blocks.values(index);
        values += count;
        missing += TrackBlocks.RECORDS - count;
        if (count > 0) {
            sum += blocks.sum(index);
            least = Math.min(least, blocks.least(index));
            greatest = Math.max(greatest, blocks.greatest(index));
        }
        if (hasForecasts && blocks.forecasts(index) > 0) {
            forecasts += blocks.forecasts(index);
            forecastSum += blocks.forecastSum(index);
            forecaster = blocks.forecaster(index);
            intervals += blocks.intervals(index);
            halfWidthSum += blocks.halfWidthSum(index);
        }
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

    private void finish(long atNs) {
        if (values + missing == 0) {
            return;
        }
        long ms = (atNs - fromNs + NS_PER_MS / 2) / NS_PER_MS;
        json.append(json.length() == 1 ? "[" : ",[").append(ms / MS_PER_S).append('.');
        json.append((char) ('0' + ms / 100 % 10))
                .append((char) ('0' + ms / 10 % 10))
                .append((char) ('0' + ms % 10));
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
