package org.lagbench.web;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore.SeriesWriter;

/** A series in a session with a value every ten seconds. */
final class RecordedSeries implements AutoCloseable {
    static final SeriesInfo INFO = new SeriesInfo(
            "rtt.nodelay", "Round trip \"Nagle off\"", "ns", 10_000_000_000L, SeriesInfo.Domain.ANY, null);

    /** The time of the first value unless another is given: 1,000 s after the epoch. */
    static final long FIRST_NS = 1_000_000_000_000L;

    private final long firstNs;
    private final SeriesWriter writer;
    private int count;

    RecordedSeries(Path session, long firstNs) throws LagbenchException {
        this.firstNs = firstNs;
        this.writer = new SeriesWriter(session, INFO.name());
    }

    List<SeriesInfo> series() {
        return List.of(INFO);
    }

    /** Adds a value; NaN if it is missing. */
    void add(double value) throws LagbenchException {
        writer.append(atNs(count), value, Double.isNaN(value) ? SeriesState.MISSED : SeriesState.OK);
        count++;
    }

    long atNs(int index) {
        return firstNs + index * INFO.everyNs();
    }

    @Override
    public void close() throws LagbenchException {
        writer.close();
    }
}
