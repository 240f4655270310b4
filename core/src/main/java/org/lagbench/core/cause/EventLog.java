package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;

/**
 * Events in memory, as the records of an {@link EventsCapture}: 48 bytes each, up to {@link #CAPACITY} of them; further
 * ones are only counted. For one thread at a time. {@link #add} allocates a block every {@value #BLOCK_EVENTS} events.
 */
final class EventLog {
    static final int CAPACITY = 1 << 19;

    static final int EVENT_BYTES = EventsCapture.FIELDS.size() * Long.BYTES;

    private static final int BLOCK_EVENTS = 1 << 12;
    private static final int CAUSE = 0;
    private static final int START = Long.BYTES;
    private static final int END = 2 * Long.BYTES;
    private static final int TOOK = 3 * Long.BYTES;

    private final List<ByteBuffer> blocks = new ArrayList<>();
    private int size;
    private long forgotten;

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
        int at = size % BLOCK_EVENTS * EVENT_BYTES;
        blockWithSpace()
                .putLong(at + CAUSE, cause.code())
                .putLong(at + START, startNs)
                .putLong(at + END, endNs)
                .putLong(at + TOOK, tookNs);
        size++;
    }

    /** Returns the block for the next event, whose bytes in it are 0. */
    private ByteBuffer blockWithSpace() {
        int block = size / BLOCK_EVENTS;
        if (block == blocks.size()) {
            blocks.add(newBuffer(BLOCK_EVENTS));
        }
        return blocks.get(block);
    }

    /** Returns a buffer for events, for {@link #addAll}. */
    static ByteBuffer newBuffer(int events) {
        return ByteBuffer.allocateDirect(events * EVENT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Adds the waits that a record has read. Sleeps, which can be as many as packets, fill at most half of the log.
     *
     * @param waits what {@link SchedulerRecord#read} has written
     */
    void addAll(ByteBuffer waits, int count) {
        boolean hasSpace = size + count <= CAPACITY / 2;
        int copied;
        for (int from = 0; from < count; from += copied) {
            copied = hasSpace ? Math.min(count - from, BLOCK_EVENTS - size % BLOCK_EVENTS) : 1;
            boolean isKept =
                    hasSpace || (size < CAPACITY && (size < CAPACITY / 2 || !isSleep(waits, from * EVENT_BYTES)));
            if (isKept) {
                blockWithSpace()
                        .put(size % BLOCK_EVENTS * EVENT_BYTES, waits, from * EVENT_BYTES, copied * EVENT_BYTES);
                size += copied;
            } else {
                forgotten++;
            }
        }
    }

    private static boolean isSleep(ByteBuffer waits, int at) {
        return waits.getLong(at + CAUSE) == Cause.WIRE_OR_WAKE_UP.code();
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
            if (field(event, CAUSE) == cause.code()) {
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
        int at = event % BLOCK_EVENTS * EVENT_BYTES;
        blocks.get(event / BLOCK_EVENTS).putLong(at + END, endNs).putLong(at + TOOK, endNs - field(event, START));
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
        long code = field(event, CAUSE);
        return code == Cause.INVOLUNTARY_SWITCH.code() || code == Cause.RUN_QUEUE.code() || code == Cause.STALL.code();
    }

    private long field(int event, int field) {
        return blocks.get(event / BLOCK_EVENTS).getLong(event % BLOCK_EVENTS * EVENT_BYTES + field);
    }

    int size() {
        return size;
    }

    /** Returns how many events did not fit. */
    long forgotten() {
        return forgotten;
    }

    void writeTo(GrowingCapture capture) throws IOException {
        for (int event = 0; event < size; event += BLOCK_EVENTS) {
            int count = Math.min(BLOCK_EVENTS, size - event);
            capture.appendAll(blocks.get(event / BLOCK_EVENTS).slice(0, count * EVENT_BYTES));
        }
    }
}
