package org.lagbench.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.series.SeriesState;
import tools.jackson.databind.json.JsonMapper;

/** The data of a monitor's page as JSON. Times are in seconds since the epoch; undefined numbers are null. */
final class LiveJson {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final double NS_PER_S = 1e9;

    private LiveJson() {}

    static String series(List<SeriesSnapshot> snapshots) {
        return JSON.writeValueAsString(
                Map.of("series", snapshots.stream().map(LiveJson::members).toList()));
    }

    /** Returns the event of a new record: the series including it. */
    static String record(SeriesSnapshot snapshot) {
        return event("record", members(snapshot));
    }

    /** Returns the event of a failure. */
    static String error(String sentence) {
        return event("error", Map.of("sentence", sentence));
    }

    private static String event(String event, Map<String, ?> data) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("event", event);
        members.put("data", data);
        return JSON.writeValueAsString(members);
    }

    private static Map<String, @Nullable Object> members(SeriesSnapshot snapshot) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("name", snapshot.info().name());
        data.put("title", snapshot.info().title());
        data.put("unit", snapshot.info().unit());
        data.put("everyS", snapshot.info().everyNs() / NS_PER_S);
        data.put("firstS", seconds(snapshot.firstNs()));
        data.put("lastS", seconds(snapshot.lastNs()));
        data.put("valueS", seconds(snapshot.valueNs()));
        data.put("value", finite(snapshot.value()));
        data.put("state", SeriesState.text(snapshot.state()));
        data.put("values", snapshot.values());
        data.put("missing", snapshot.missing());
        data.put("next", finite(snapshot.next()));
        data.put("halfWidth", finite(snapshot.halfWidth()));
        data.put("forecaster", snapshot.forecaster());
        return data;
    }

    private static @Nullable Double seconds(long ns) {
        return ns == 0 ? null : (Double) (ns / NS_PER_S);
    }

    private static @Nullable Double finite(double number) {
        return Double.isFinite(number) ? (Double) number : null;
    }
}
