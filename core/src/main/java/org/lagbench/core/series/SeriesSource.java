package org.lagbench.core.series;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;

/** The series of a session while it is being recorded. Any thread may read. */
public interface SeriesSource {
    /** Receives each record after it is in its file. Called on the thread that records; must return soon. */
    @FunctionalInterface
    interface Listener {
        void recorded(SeriesInfo series, long atNs, double value, int state);
    }

    /** Returns the series of the session, in the order in which they are shown. Their number does not change. */
    List<SeriesInfo> series();

    /**
     * Reads the records of a time range, oldest first, from the files: also those of earlier days.
     *
     * @param series the name of a series
     * @param fromNs the first time, in ns since the epoch
     * @param untilNs the time after the last one
     * @throws LagbenchException if a file cannot be read
     */
    void read(String series, long fromNs, long untilNs, SeriesConsumer consumer) throws LagbenchException;

    /** Adds a listener to the records from now on. */
    void addListener(Listener listener);

    /** Removes a listener; it receives no record after this returns. */
    void removeListener(Listener listener);
}
