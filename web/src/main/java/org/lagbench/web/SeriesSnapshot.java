package org.lagbench.web;

import java.util.Map;
import java.util.TreeMap;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.series.SeriesState;

/**
 * A series at one moment. Times are in ns since the epoch, 0 if there is none; values in the series' unit, NaN if there
 * is none.
 *
 * @param firstNs the time of the first record
 * @param lastNs the time of the last record
 * @param valueNs the time of the last record with a value
 * @param value the last value
 * @param state the state of the last record
 * @param counts the number of records by state
 * @param next the forecast of the next value
 * @param halfWidth the half width of the interval around it
 * @param forecaster the forecaster of the next value; empty without a forecast
 */
public record SeriesSnapshot(
        SeriesInfo info,
        long firstNs,
        long lastNs,
        long valueNs,
        double value,
        int state,
        Map<Integer, Long> counts,
        double next,
        double halfWidth,
        String forecaster) {
    public SeriesSnapshot {
        counts = Map.copyOf(new TreeMap<>(counts));
    }

    static SeriesSnapshot empty(SeriesInfo info) {
        return new SeriesSnapshot(info, 0, 0, 0, Double.NaN, SeriesState.OK, Map.of(), Double.NaN, Double.NaN, "");
    }

    public long values() {
        return counts.getOrDefault(SeriesState.OK, 0L);
    }

    /** Returns the number of records without a value. */
    public long missing() {
        return counts.values().stream().mapToLong(Long::longValue).sum() - values();
    }
}
