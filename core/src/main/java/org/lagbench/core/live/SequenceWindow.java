package org.lagbench.core.live;

import java.util.Arrays;

/**
 * Distinguishes the first arrival of each packet from copies, for packets at most {@value #PACKETS} behind the newest.
 * Older ones count as copies. Not thread-safe; allocates nothing after its creation.
 */
final class SequenceWindow {
    static final int PACKETS = 1 << 20;

    private final long[] arrived = new long[PACKETS / Long.SIZE];
    private long next;

    /** Returns the sequence number after the highest one that arrived. */
    long next() {
        return next;
    }

    /** Records an arrival, and returns whether it is the first of this packet. */
    boolean isFirst(long sequence) {
        if (sequence >= next) {
            if (sequence - next >= PACKETS) {
                Arrays.fill(arrived, 0);
            } else {
                for (long skipped = next; skipped <= sequence; skipped++) {
                    arrived[word(skipped)] &= ~(1L << skipped);
                }
            }
            next = sequence + 1;
        } else if (next - sequence > PACKETS || (arrived[word(sequence)] & (1L << sequence)) != 0) {
            return false;
        }
        arrived[word(sequence)] |= 1L << sequence;
        return true;
    }

    private static int word(long sequence) {
        return (int) (sequence / Long.SIZE) & (PACKETS / Long.SIZE - 1);
    }
}
