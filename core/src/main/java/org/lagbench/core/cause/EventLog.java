package org.lagbench.core.cause;

import java.util.ArrayList;
import java.util.List;

/**
 * Events as they are found, in memory: 32 bytes each, up to {@link #CAPACITY} of them; further ones are counted and
 * forgotten. One thread at a time. {@link #add} allocates a block every {@value #BLOCK_EVENTS} events.
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

    /** Notes that something went on from one time to another, CLOCK_REALTIME in ns. */
    void add(Cause cause, long startNs, long endNs) {
        add(cause, startNs, endNs, endNs - startNs);
    }

    /** The same of what took so long of that time, nobody knows when. */
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

    int size() {
        return size;
    }

    /** How many found no room. */
    long forgotten() {
        return forgotten;
    }

    long code(int event) {
        return field(event, 0);
    }

    long startNs(int event) {
        return field(event, 1);
    }

    long endNs(int event) {
        return field(event, 2);
    }

    long tookNs(int event) {
        return field(event, 3);
    }

    private long field(int event, int field) {
        return blocks.get(event / BLOCK_EVENTS)[event % BLOCK_EVENTS * FIELDS + field];
    }
}
