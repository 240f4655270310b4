package org.lagbench.core.cause;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.capture.GrowingCapture;

/**
 * Events in memory: 48 bytes each, up to {@link #CAPACITY} of them; further ones are only counted. For one thread at a
 * time. {@link #add} allocates a block every {@value #BLOCK_EVENTS} events.
 */
final class EventLog {
    static final int CAPACITY = 1 << 19;

    private static final int BLOCK_EVENTS = 1 << 12;
    private static final int FIELDS = 6;
    private static final int START = 1;
    private static final int END = 2;

    private final List<long[]> blocks = new ArrayList<>();
    private int size;
    private long forgotten;

    /** Adds an event that lasted from one time to another, CLOCK_REALTIME in ns. */
    void add(Cause cause, long startNs, long endNs) {
        add(cause, startNs, endNs, endNs - startNs);
    }

    /** Adds an event that took an unknown part of the time between its start and its end. */
    void add(Cause cause, long startNs, long endNs, long tookNs) {
        add(cause.code(), startNs, endNs, tookNs, 0, 0);
    }

    /** Adds the waits that a record has read. Sleeps, which can be as many as packets, fill at most half of the log. */
    void addAll(long[] waits, int count) {
        for (int at = 0; at < count * SchedulerRecord.FIELDS; at += SchedulerRecord.FIELDS) {
            if (waits[at] != Cause.WIRE_OR_WAKE_UP.code() || size < CAPACITY / 2) {
                add(
                        waits[at],
                        waits[at + 1],
                        waits[at + 2],
                        waits[at + 2] - waits[at + 1],
                        waits[at + 3],
                        waits[at + 4]);
            } else {
                forgotten++;
            }
        }
    }

    private void add(long cause, long startNs, long endNs, long tookNs, long program0, long program8) {
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
        fields[at] = cause;
        fields[at + 1] = startNs;
        fields[at + 2] = endNs;
        fields[at + 3] = tookNs;
        fields[at + 4] = program0;
        fields[at + 5] = program8;
        size++;
    }

    /**
     * Ends the events of a cause at the given times: each event at the last one since the event before it was noticed,
     * with another event for each time before that. An event without such a time keeps its end.
     *
     * @param timesNs ascending
     */
    void endAt(Cause cause, long[] timesNs) {
        int known = size;
        int next = 0;
        for (int event = 0; event < known && timesNs.length > 0; event++) {
            if (field(event, 0) == cause.code()) {
                long startNs = field(event, START);
                long noticedNs = field(event, END);
                for (; next < timesNs.length && timesNs[next] <= noticedNs; next++) {
                    boolean isLast = next + 1 == timesNs.length || timesNs[next + 1] > noticedNs;
                    if (timesNs[next] > startNs && isLast) {
                        setEnd(event, timesNs[next]);
                    } else if (timesNs[next] > startNs) {
                        add(cause, startNs, timesNs[next]);
                    }
                }
            }
        }
    }

    private void setEnd(int event, long endNs) {
        long[] fields = blocks.get(event / BLOCK_EVENTS);
        int at = event % BLOCK_EVENTS * FIELDS;
        fields[at + END] = endNs;
        fields[at + END + 1] = endNs - fields[at + START];
    }

    /**
     * Adds the stalls of a process that its meter found, without the waits for a CPU and the stops that this log has of
     * the packet thread: these are exact, and can have made the meter late too. What remains of a stall counts where it
     * is long enough.
     *
     * @param stalls in the order of time, as the waits and stops of this log are
     * @param minNs the shortest time that counts
     */
    void addStalls(EventLog stalls, long minNs) {
        int known = size;
        int first = 0;
        for (int stall = 0; stall < stalls.size; stall++) {
            long fromNs = stalls.field(stall, START);
            long endNs = stalls.field(stall, END);
            while (first < known && (!isExact(first) || field(first, END) <= fromNs)) {
                first++;
            }
            for (int event = first; event < known && fromNs < endNs; event++) {
                if (isExact(event)) {
                    addStall(fromNs, Math.min(endNs, field(event, START)), minNs);
                    fromNs = Math.max(fromNs, field(event, END));
                }
            }
            addStall(fromNs, endNs, minNs);
        }
        forgotten += stalls.forgotten;
    }

    private void addStall(long startNs, long endNs, long minNs) {
        if (endNs - startNs >= minNs) {
            add(Cause.STALL, startNs, endNs);
        }
    }

    /** Returns whether an event of this log is a wait or a stop of the packet thread. */
    private boolean isExact(int event) {
        long code = field(event, 0);
        return code == Cause.INVOLUNTARY_SWITCH.code() || code == Cause.RUN_QUEUE.code() || code == Cause.STALL.code();
    }

    private long field(int event, int field) {
        return blocks.get(event / BLOCK_EVENTS)[event % BLOCK_EVENTS * FIELDS + field];
    }

    int size() {
        return size;
    }

    /** Returns how many events did not fit. */
    long forgotten() {
        return forgotten;
    }

    void writeTo(GrowingCapture capture) throws IOException {
        for (int event = 0; event < size; event++) {
            long[] fields = blocks.get(event / BLOCK_EVENTS);
            int at = event % BLOCK_EVENTS * FIELDS;
            capture.append(fields[at], fields[at + 1], fields[at + 2], fields[at + 3], fields[at + 4], fields[at + 5]);
        }
    }
}
