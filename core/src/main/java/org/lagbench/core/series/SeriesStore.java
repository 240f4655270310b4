package org.lagbench.core.series;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lagbench.core.failure.LagbenchException;

/** The series of a session, which one thread records. Any thread reads their files. */
public final class SeriesStore implements AutoCloseable {
    private final Map<SeriesInfo, SeriesWriter> writers = new LinkedHashMap<>();

    /** Opens the series of a session, which continue after their last records. */
    public SeriesStore(Path session, List<SeriesInfo> series) throws LagbenchException {
        for (SeriesInfo one : series) {
            writers.put(one, new SeriesWriter(session, one.name()));
        }
    }

    /** Returns the time of the last record of a series in ns since the epoch; 0 if there is none. */
    public synchronized long lastNs(SeriesInfo one) {
        return writer(one).lastNs();
    }

    /** Records a value, unless the series already has one for this time or a later one. */
    public synchronized void record(SeriesInfo one, long atNs, double value, int state) throws LagbenchException {
        if (atNs > lastNs(one)) {
            writer(one).append(atNs, value, state);
        }
    }

    private SeriesWriter writer(SeriesInfo one) {
        return Objects.requireNonNull(writers.get(one), one.name());
    }

    /** Returns the series of the session, in the order in which they are shown. */
    public List<SeriesInfo> series() {
        return List.copyOf(writers.keySet());
    }

    @Override
    public synchronized void close() throws LagbenchException {
        for (SeriesWriter writer : writers.values()) {
            writer.close();
        }
    }
}
