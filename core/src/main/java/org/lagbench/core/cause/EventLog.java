package org.lagbench.core.cause;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lagbench.core.capture.EventsCapture;

/**
 * Events in memory: 32 bytes each, up to {@link #CAPACITY} of them; further ones are only counted. For one thread at a
 * time. {@link #add} allocates a block every {@value #BLOCK_EVENTS} events.
 */
final class EventLog {
    static final int CAPACITY = 1 << 19;

    private static final int BLOCK_EVENTS = 1 << 12;
    private static final int FIELDS = 4;

    private final List<long[]> blocks = new ArrayList<>();
    private int size;
    private long forgotten;

    EventLog() {
        blocks.add(new long[BLOCK_EVENTS * FIELDS]);
    }

    /** Adds an event that lasted from one time to another, CLOCK_REALTIME in ns. */
    void add(Cause cause, long startNs, long endNs) {
        add(cause, startNs, endNs, endNs - startNs);
    }

    /** Adds an event that took an unknown part of the time between its start and its end. */
    void add(Cause cause, long startNs, long endNs, long tookNs) {
        if (size == CAPACITY) {
            forgotten++;
            return;
        }
        int block = size / BLOCK_EVENTS;
        if (block == blocks.size()) {
            blocks.add(new long[BLOCK_EVENTS * FIELDS]);
        }
        int at = size % BLOCK_EVENTS * FIELDS;
        long[] fields = blocks.get(block);
        fields[at] = cause.code();
        fields[at + 1] = startNs;
        fields[at + 2] = endNs;
        fields[at + 3] = tookNs;
        size++;
    }

    /**
     * Ends each event of a cause at the latest of the given times within it. An event without such a time keeps its
     * end.
     *
     * @param timesNs ascending
     */
    void endAtLatest(Cause cause, long[] timesNs) {
        for (int event = 0; event < size && timesNs.length > 0; event++) {
            long[] fields = blocks.get(event / BLOCK_EVENTS);
            int at = event % BLOCK_EVENTS * FIELDS;
            if (fields[at] == cause.code()) {
                int found = Arrays.binarySearch(timesNs, fields[at + 2]);
                int latest = found >= 0 ? found : -found - 2;
                if (latest >= 0 && timesNs[latest] > fields[at + 1]) {
                    fields[at + 2] = timesNs[latest];
                    fields[at + 3] = timesNs[latest] - fields[at + 1];
                }
            }
        }
    }

    int size() {
        return size;
    }

    /** Returns how many events did not fit. */
    long forgotten() {
        return forgotten;
    }

    void writeTo(EventsCapture capture) throws IOException {
        for (int event = 0; event < size; event++) {
            long[] fields = blocks.get(event / BLOCK_EVENTS);
            int at = event % BLOCK_EVENTS * FIELDS;
            capture.append(fields[at], fields[at + 1], fields[at + 2], fields[at + 3]);
        }
    }
}
