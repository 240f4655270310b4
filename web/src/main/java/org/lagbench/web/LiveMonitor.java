package org.lagbench.web;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.series.SeriesSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The series of a monitor for its live page: their records with the forecasts made before each, by time range. Reads
 * the existing records, then follows new ones. The forecasts of a long history take some seconds; its values are
 * available earlier.
 */
public final class LiveMonitor implements AutoCloseable {
    private static final int MOST_COLUMNS = 4_000;
    private static final int RECENT_EVENTS = 1_000;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final SeriesSource source;
    private final Map<String, LiveSeries> series = new LinkedHashMap<>();
    private final EventLog events = new EventLog(RECENT_EVENTS);
    private final ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "live-series");
        thread.setDaemon(true);
        return thread;
    });
    private final SeriesSource.Listener listener = this::recorded;

    private LiveMonitor(SeriesSource source) {
        this.source = source;
    }

    /**
     * Reads the series and starts to follow them.
     *
     * @param directory for temporary files, {@value Track#RECORD_BYTES} bytes for each record
     * @param forecasters makes the forecaster of each series
     */
    public static LiveMonitor open(SeriesSource source, Path directory, Supplier<ValueForecaster> forecasters)
            throws LagbenchException, InterruptedException {
        LiveMonitor monitor = new LiveMonitor(source);
        try {
            for (SeriesInfo info : source.series()) {
                monitor.series.put(info.name(), new LiveSeries(info, directory, forecasters.get()));
            }
            // records that arrive meanwhile follow on the worker's queue
            Future<?> read = monitor.worker.submit(() -> {
                monitor.readAll();
                return null;
            });
            source.addListener(monitor.listener);
            read.get();
            monitor.worker.execute(() -> monitor.series.values().forEach(LiveSeries::forecastAll));
            return monitor;
        } catch (IOException | ExecutionException e) {
            monitor.close();
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            throw cause instanceof LagbenchException known
                    ? known
                    : new LagbenchException(
                            ExitCode.FILES,
                            "The live page cannot keep the series in " + directory + ": " + cause.getMessage() + ".",
                            cause);
        }
    }

    private void readAll() throws LagbenchException, IOException {
        for (LiveSeries one : series.values()) {
            IOException[] failure = new IOException[1];
            source.read(one.info().name(), 0, Long.MAX_VALUE, (atNs, value, state) -> {
                try {
                    one.add(atNs, value, state);
                } catch (IOException e) {
                    failure[0] = e;
                }
            });
            if (failure[0] != null) {
                throw failure[0];
            }
            one.takeSnapshot();
        }
    }

    private void recorded(SeriesInfo info, long atNs, double value, int state) {
        worker.execute(() -> add(info.name(), atNs, value, state));
    }

    private void add(String name, long atNs, double value, int state) {
        LiveSeries one = series.get(name);
        try {
            if (one != null && one.add(atNs, value, state)) {
                one.forecastAll();
                events.pass(LiveJson.record(one.snapshot()));
            }
        } catch (IOException e) {
            events.keep(LiveJson.error("The live page cannot keep " + name + ": " + e.getMessage() + "."));
        }
    }

    /** Returns all series as they are now. */
    public List<SeriesSnapshot> snapshots() {
        return series.values().stream().map(LiveSeries::snapshot).toList();
    }

    /** Returns the events of the page: each record, with the forecast of the next value. */
    public EventLog events() {
        return events;
    }

    /** Returns the data of the page by path. */
    public Map<String, LiveSource> sources() {
        return Map.of("/series", query -> LiveAnswer.json(LiveJson.series(snapshots())), "/range", this::range);
    }

    private LiveAnswer range(Map<String, String> query) {
        LiveSeries one = series.get(query.getOrDefault("series", ""));
        if (one == null) {
            throw new IllegalArgumentException("series: there is no such series.");
        }
        long fromNs = milliseconds(query, "from") * 1_000_000;
        long untilNs = milliseconds(query, "until") * 1_000_000;
        int columns = (int) number(query, "columns", MOST_COLUMNS);
        if (fromNs >= untilNs || columns < 1) {
            throw new IllegalArgumentException("from, until, columns: the range is empty.");
        }
        return LiveAnswer.json("{\"columns\":" + one.columns(fromNs, untilNs, columns) + ",\"forecasters\":"
                + JSON.writeValueAsString(one.forecasters()) + "}");
    }

    private static long milliseconds(Map<String, String> query, String name) {
        return number(query, name, Long.MAX_VALUE / 1_000_000);
    }

    private static long number(Map<String, String> query, String name, long greatest) {
        String text = query.getOrDefault(name, "");
        if (!text.matches("\\d{1,13}") || Long.parseLong(text) > greatest) {
            throw new IllegalArgumentException(name + ": a whole number from 0 to " + greatest + " is required.");
        }
        return Long.parseLong(text);
    }

    @Override
    public void close() {
        source.removeListener(listener);
        worker.shutdownNow();
        try {
            for (LiveSeries one : series.values()) {
                one.close();
            }
        } catch (IOException e) {
            events.keep(LiveJson.error("A temporary file cannot be closed: " + e.getMessage() + "."));
        }
    }
}
