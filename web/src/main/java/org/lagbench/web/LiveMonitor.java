package org.lagbench.web;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.web.LiveSeries.SeriesSnapshot;

/**
 * The series of a monitor for its live page: their records with the forecasts made before each, by time range. Reads
 * the files of the session, which this process or another one writes. The forecasts of a long history take several
 * seconds; its values are available earlier.
 */
public final class LiveMonitor {
    private static final int MAX_COLUMNS = 4_000;
    private static final int RECENT_EVENTS = 1_000;

    private final Path session;
    private final String target;
    private final Consumer<LagbenchException> failures;
    private final Map<String, LiveSeries> series = new LinkedHashMap<>();
    private final EventLog events = new EventLog(RECENT_EVENTS);
    private boolean isFailed;

    /**
     * Reads the series of a session.
     *
     * @param target what is monitored, for the page's title
     * @param failures receives the failure if a file cannot be read later; the page then gets no more records
     */
    public LiveMonitor(Path session, String target, List<SeriesInfo> infos, Consumer<LagbenchException> failures)
            throws LagbenchException {
        this.session = session;
        this.target = target;
        this.failures = failures;
        for (SeriesInfo info : infos) {
            LiveSeries one = new LiveSeries(info);
            SeriesFiles.read(session, info.name(), 0, Long.MAX_VALUE, one::add);
            series.put(info.name(), one);
        }
    }

    /**
     * Makes the missing forecasts, and adds the records that were written since the last time. Called by one thread.
     *
     * @param isClosing returns whether to end early, without some forecasts
     */
    public void refresh(BooleanSupplier isClosing) {
        series.values().forEach(one -> one.forecastAll(isClosing));
        try {
            for (LiveSeries one : isFailed ? List.<LiveSeries>of() : series.values()) {
                SeriesFiles.read(session, one.info().name(), one.lastNs() + 1, Long.MAX_VALUE, (atNs, value, state) -> {
                    one.add(atNs, value, state);
                    one.forecastAll(isClosing);
                    events.pass(ResultMapper.event("record", one.snapshot().members()));
                });
            }
        } catch (LagbenchException e) {
            isFailed = true;
            events.keep(ResultMapper.event("error", Map.of("sentence", e.sentence())));
            failures.accept(e);
        }
    }

    /** Returns all series as they are now. */
    List<SeriesSnapshot> snapshots() {
        return series.values().stream().map(LiveSeries::snapshot).toList();
    }

    /** Returns the events of the page: each record, with the forecast of the next value. */
    public EventLog events() {
        return events;
    }

    /** Returns the data of the page and the metrics by path. */
    public Map<String, LiveResponse.Source> sources() {
        return Map.of(
                "/series",
                (query, accept) -> LiveResponse.json(Map.of(
                        "target",
                        target,
                        "series",
                        snapshots().stream().map(SeriesSnapshot::members).toList())),
                "/range",
                (query, accept) -> range(query),
                OpenMetrics.PATH,
                (query, accept) -> OpenMetrics.answer(snapshots(), accept));
    }

    private LiveResponse range(Map<String, String> query) {
        LiveSeries one = series.get(query.getOrDefault("series", ""));
        if (one == null) {
            throw new IllegalArgumentException("series: there is no series of this name; GET /series lists all.");
        }
        long fromNs = milliseconds(query, "from") * 1_000_000;
        long untilNs = milliseconds(query, "until") * 1_000_000;
        int columns = (int) number(query, "columns", MAX_COLUMNS);
        if (fromNs >= untilNs || columns < 1) {
            throw new IllegalArgumentException("from, until, columns: the range is empty.");
        }
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("columns", one.columns(fromNs, untilNs, columns));
        members.put("forecasters", one.forecasterNames());
        return LiveResponse.json(members);
    }

    private static long milliseconds(Map<String, String> query, String name) {
        return number(query, name, Long.MAX_VALUE / 1_000_000);
    }

    private static long number(Map<String, String> query, String name, long max) {
        String text = query.getOrDefault(name, "");
        if (!text.matches("\\d{1,13}") || Long.parseLong(text) > max) {
            throw new IllegalArgumentException(name + ": a whole number from 0 to " + max + " is required.");
        }
        return Long.parseLong(text);
    }
}
