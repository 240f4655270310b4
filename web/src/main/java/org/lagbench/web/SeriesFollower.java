package org.lagbench.web;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.series.SeriesConsumer;
import org.lagbench.core.series.SeriesFiles;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.series.SeriesSource;

/** Follows the series of a session that another process records. Reads their files every second. */
public final class SeriesFollower implements SeriesSource, AutoCloseable {
    private static final long INTERVAL_MS = 1_000;

    private final Path session;
    private final List<SeriesInfo> series;
    private final Consumer<LagbenchException> failures;
    private final Map<String, Long> lastNs = new HashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread reader = new Thread(this::readUntilClosed, "series-follower");

    private SeriesFollower(Path session, List<SeriesInfo> series, Consumer<LagbenchException> failures) {
        this.session = session;
        this.series = List.copyOf(series);
        this.failures = failures;
        reader.setDaemon(true);
    }

    /**
     * Opens the series. The listeners receive the records that are written from now on.
     *
     * @param failures receives the failure if a file cannot be read; the follower then reads no more
     */
    public static SeriesFollower open(Path session, List<SeriesInfo> series, Consumer<LagbenchException> failures)
            throws LagbenchException {
        SeriesFollower follower = new SeriesFollower(session, series, failures);
        for (SeriesInfo one : series) {
            follower.lastNs.put(one.name(), 0L);
            follower.read(one.name(), 0, Long.MAX_VALUE, (atNs, value, state) -> follower.lastNs.put(one.name(), atNs));
        }
        return follower;
    }

    private void readUntilClosed() {
        try {
            do {
                for (SeriesInfo one : series) {
                    readNew(one);
                }
            } while (!closed.await(INTERVAL_MS, TimeUnit.MILLISECONDS));
        } catch (LagbenchException e) {
            failures.accept(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void readNew(SeriesInfo one) throws LagbenchException {
        long fromNs = lastNs.getOrDefault(one.name(), 0L) + 1;
        read(one.name(), fromNs, Long.MAX_VALUE, (atNs, value, state) -> {
            lastNs.put(one.name(), atNs);
            listeners.forEach(listener -> listener.recorded(one, atNs, value, state));
        });
    }

    @Override
    public List<SeriesInfo> series() {
        return series;
    }

    @Override
    public void read(String name, long fromNs, long untilNs, SeriesConsumer consumer) throws LagbenchException {
        SeriesFiles.read(session, name, fromNs, untilNs, consumer);
    }

    /** Adds a listener. The first one starts the reading, and receives every record since {@link #open}. */
    @Override
    public synchronized void addListener(Listener listener) {
        listeners.add(listener);
        if (reader.getState() == Thread.State.NEW) {
            reader.start();
        }
    }

    @Override
    public void removeListener(Listener listener) {
        listeners.remove(listener);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
