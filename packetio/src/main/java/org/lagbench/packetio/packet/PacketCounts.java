package org.lagbench.packetio.packet;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the packets of one kind, those of the warm-up or those that are recorded, as they come in. One thread counts;
 * the counters may be read by others, who may see them late. Allocates only when made: a bit a packet.
 */
final class PacketCounts {
    private static final long MOST_PACKETS = 1L << 36;

    private final long first;
    private final long[] seen;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong distinct = new AtomicLong();
    private final AtomicLong duplicated = new AtomicLong();
    private final AtomicLong reordered = new AtomicLong();
    private long nextExpected;

    /**
     * @param first the sequence number of the first of them
     * @param packets how many there are, at most 2³⁶
     */
    PacketCounts(long first, long packets) {
        if (packets < 0 || packets > MOST_PACKETS) {
            throw new IllegalArgumentException("packets: " + packets);
        }
        this.first = first;
        this.nextExpected = first;
        this.seen = new long[(int) ((packets + 63) >>> 6)];
    }

    /** Takes one of them. */
    void count(long sequence) {
        long place = sequence - first;
        int word = (int) (place >>> 6);
        long bit = 1L << place;
        if ((seen[word] & bit) != 0) {
            add(duplicated, 1);
        } else {
            seen[word] |= bit;
            add(distinct, 1);
            if (sequence < nextExpected) {
                add(reordered, 1);
            } else {
                nextExpected = sequence + 1;
            }
        }
        add(received, 1);
    }

    long received() {
        return received.getOpaque();
    }

    long distinct() {
        return distinct.getOpaque();
    }

    long duplicated() {
        return duplicated.getOpaque();
    }

    long reordered() {
        return reordered.getOpaque();
    }

    /** Only one thread counts, so that the others need no atomic increment. */
    static void add(AtomicLong counter, long more) {
        counter.setOpaque(counter.getPlain() + more);
    }
}
