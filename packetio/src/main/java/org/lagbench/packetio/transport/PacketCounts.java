package org.lagbench.packetio.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters for the packets of one kind: recorded, warm-up or lead-out. One thread counts; any thread may read the
 * counters, possibly late. Only the constructor allocates: one bit for each packet.
 */
final class PacketCounts {
    private static final long MAXIMUM_PACKETS = 1L << 36;

    final AtomicLong received = new AtomicLong();
    final AtomicLong distinct = new AtomicLong();
    final AtomicLong duplicated = new AtomicLong();
    final AtomicLong reordered = new AtomicLong();
    private final long first;
    private final long[] seen;
    private long nextExpected;

    /**
     * @param first the first sequence number
     * @param packets number of packets, at most 2³⁶
     */
    PacketCounts(long first, long packets) {
        if (packets < 0 || packets > MAXIMUM_PACKETS) {
            throw new IllegalArgumentException("packets: " + packets);
        }
        this.first = first;
        this.nextExpected = first;
        this.seen = new long[(int) ((packets + 63) >>> 6)];
    }

    /** Returns 1 if the packet was already counted, 0 if not. */
    long copy(long sequence) {
        long index = sequence - first;
        return (seen[(int) (index >>> 6)] >>> index) & 1;
    }

    void count(long sequence) {
        long index = sequence - first;
        int word = (int) (index >>> 6);
        long bit = 1L << index;
        add(received, 1);
        if ((seen[word] & bit) != 0) {
            add(duplicated, 1);
        } else {
            seen[word] |= bit;
            if (sequence < nextExpected) {
                add(reordered, 1);
            } else {
                nextExpected = sequence + 1;
            }
            add(distinct, 1); // last: a complete run has all counts
        }
    }

    /** Needs no atomic increment: only one thread counts. */
    static void add(AtomicLong counter, long more) {
        counter.setRelease(counter.getPlain() + more);
    }
}
