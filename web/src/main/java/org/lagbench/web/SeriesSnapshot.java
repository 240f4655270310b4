package org.lagbench.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.series.SeriesFiles.SeriesState;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.text.Units;

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
 * @param low lower end of its interval
 * @param high upper end of its interval
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
        double low,
        double high,
        String forecaster) {

    public SeriesSnapshot {
        counts = Map.copyOf(new TreeMap<>(counts));
    }

    public long values() {
        return counts.getOrDefault(SeriesState.OK, 0L);
    }

    /** Returns the number of records without a value. */
    public long missing() {
        return counts.values().stream().mapToLong(Long::longValue).sum() - values();
    }

    /** Returns the members of its JSON object. Times are in seconds since the epoch. */
    Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("name", info.name());
        members.put("title", info.title());
        members.put("unit", info.unit());
        members.put("least", info.domain().min());
        members.put("greatest", info.domain().max());
        members.put("everyS", info.everyNs() / Units.NS_PER_S);
        members.put("firstS", seconds(firstNs));
        members.put("lastS", seconds(lastNs));
        members.put("valueS", seconds(valueNs));
        members.put("value", value);
        members.put("state", SeriesState.text(state));
        members.put("values", values());
        members.put("missing", missing());
        members.put("next", next);
        members.put("low", low);
        members.put("high", high);
        members.put("forecaster", forecaster);
        return members;
    }

    private static @Nullable Double seconds(long ns) {
        return ns == 0 ? null : (Double) (ns / Units.NS_PER_S);
    }
}
