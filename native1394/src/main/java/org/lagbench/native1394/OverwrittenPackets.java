package org.lagbench.native1394;

/**
 * Recognizes packets that a later packet overwrote in the receive ring before they were read. libraw1394 gives the
 * kernel one packet more than the ring has slots: when a receiver stalls and all are in use, the slot of the oldest
 * packet holds the packet that arrived one ring later, with the cycle of the oldest.
 *
 * <p>A bus cannot reorder packets, and carries at most one packet of a channel in a cycle. So a packet is overwritten
 * if the next one was sent before it, or if more packets were sent since the previous one than cycles have passed.
 *
 * <p>Not thread-safe; allocates nothing.
 */
final class OverwrittenPackets {
    /** The sequence number of an unknown next packet. */
    static final long UNKNOWN = Long.MIN_VALUE;

    /** Cycle numbers wrap at 128 seconds of 8,000 cycles. */
    static final long CYCLES = 128 * 8_000L;

    private final int ringPackets;
    private long previousSequence = UNKNOWN;
    private long previousCycle;
    private long count;

    OverwrittenPackets(int ringPackets) {
        this.ringPackets = ringPackets;
    }

    /** Returns whether the packet follows the previous one, so that it is {@link #accept accepted} without a check. */
    boolean isNext(long sequence) {
        return sequence - 1 == previousSequence;
    }

    /** Makes a packet the previous one. */
    void accept(long sequence, long cycle) {
        previousSequence = sequence;
        previousCycle = cycle;
    }

    /**
     * Checks and counts a packet that is not the next one. One that was not overwritten becomes the previous one.
     *
     * @param sequence its sequence number; lead-out packets have smaller ones than the packets sent before them
     * @param cycle the cycle in which it arrived, 0 to 1,023,999
     * @param nextSequence the sequence number of the packet that arrived after it, or {@link #UNKNOWN}
     * @return whether it was overwritten
     */
    boolean check(long sequence, long cycle, long nextSequence) {
        boolean knowsPrevious = previousSequence != UNKNOWN;
        boolean knowsNext = nextSequence != UNKNOWN;
        boolean goesBack = knowsPrevious && sequence <= previousSequence;
        boolean overtakes = knowsNext
                && nextSequence <= sequence
                && sequence - nextSequence < ringPackets
                && (!knowsPrevious || nextSequence > previousSequence); // otherwise the lead-out begins
        boolean isTooFast = knowsPrevious
                && !goesBack
                && sequence - previousSequence > Math.floorMod(cycle - previousCycle, CYCLES);
        boolean isLeadOutTooEarly = goesBack && knowsNext && nextSequence > sequence + 1;
        if (overtakes || isTooFast || isLeadOutTooEarly) {
            count++;
            return true;
        }
        accept(goesBack && !knowsNext ? UNKNOWN : sequence, cycle);
        return false;
    }

    /** Returns how many packets were overwritten. */
    long count() {
        return count;
    }
}
