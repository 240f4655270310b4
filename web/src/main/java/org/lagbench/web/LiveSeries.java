package org.lagbench.web;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.series.SeriesState;

/** A series with its forecasts. One thread adds records; any thread reads. */
final class LiveSeries implements AutoCloseable {
    private final SeriesInfo info;
    private final Track track;
    private final ValueForecaster forecaster;
    private final List<String> names = new ArrayList<>();
    private final Map<Integer, Long> counts = new TreeMap<>();

    /** How many records the forecaster has learned; the others follow in {@link #forecastAll}. */
    private int learned;

    private SeriesSnapshot snapshot;

    LiveSeries(SeriesInfo info, Path directory, ValueForecaster forecaster) throws IOException {
        this.info = info;
        this.track = new Track(directory);
        this.forecaster = forecaster;
        this.snapshot = SeriesSnapshot.empty(info);
    }

    SeriesInfo info() {
        return info;
    }

    /**
     * Adds a record without a forecast.
     *
     * @return false if it was ignored, because it is not later than the last one
     */
    boolean add(long atNs, double value, int state) throws IOException {
        int size = track.size();
        if (size > 0 && atNs <= track.atNs(size - 1)) {
            return false;
        }
        track.add(atNs, value, state);
        counts.merge(state, 1L, Long::sum);
        return true;
    }

    /** Makes the forecasts of all records that have none, each before its value is learned. */
    void forecastAll() {
        for (; learned < track.size(); learned++) {
            double next = forecaster.next();
            if (!Double.isNaN(next)) {
                track.setForecast(learned, next, forecaster.halfWidth(), numberOf(forecaster.selected()));
            }
            forecaster.learn(track.value(learned));
        }
        takeSnapshot();
    }

    /** Lets {@link #snapshot} include the records so far. */
    void takeSnapshot() {
        int size = track.size();
        int last = size - 1;
        while (last >= 0 && Double.isNaN(track.value(last))) {
            last--;
        }
        boolean isForecast = learned == size;
        SeriesSnapshot made = new SeriesSnapshot(
                info,
                size == 0 ? 0 : track.atNs(0),
                size == 0 ? 0 : track.atNs(size - 1),
                last < 0 ? 0 : track.atNs(last),
                last < 0 ? Double.NaN : track.value(last),
                size == 0 ? SeriesState.OK : track.state(size - 1),
                counts,
                isForecast ? forecaster.next() : Double.NaN,
                isForecast ? forecaster.halfWidth() : Double.NaN,
                isForecast && !Double.isNaN(forecaster.next()) ? forecaster.selected() : "");
        synchronized (this) {
            snapshot = made;
        }
    }

    synchronized SeriesSnapshot snapshot() {
        return snapshot;
    }

    private int numberOf(String name) {
        synchronized (names) {
            int number = names.indexOf(name);
            if (number < 0) {
                number = names.size();
                names.add(name);
            }
            return number;
        }
    }

    /** Returns the names of the forecasters by their numbers. */
    List<String> forecasters() {
        synchronized (names) {
            return List.copyOf(names);
        }
    }

    /** See {@link TrackColumns#json}. */
    String columns(long fromNs, long untilNs, int columns) {
        return TrackColumns.json(track, fromNs, untilNs, columns);
    }

    @Override
    public void close() throws IOException {
        track.close();
    }
}
