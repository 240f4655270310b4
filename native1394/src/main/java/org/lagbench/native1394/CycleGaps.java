package org.lagbench.native1394;

/**
 * Counts the bus cycles without a packet between the recorded packets of a stream. Other packets (negative sequence
 * numbers) execute the same code without a branch, so that the warm-up compiles it for recorded packets. Not
 * thread-safe; allocates nothing.
 */
final class CycleGaps {
    /** Cycle numbers wrap at 128 seconds of 8,000 cycles. */
    private static final long CYCLES = 128 * 8_000L;

    private static final int AFTER_UNRECORDED = 1;

    /** Counts of missed cycles. Index 0: those between recorded packets. Index 1, which is never read: the others. */
    private final long[] missed = new long[2];

    private int after = AFTER_UNRECORDED;
    private long previousCycle;

    /**
     * Counts the cycles before the next packet.
     *
     * @param cycle the cycle in which it arrived, 0 to 1,023,999
     */
    void packet(long sequence, long cycle) {
        int present = (int) (sequence >>> 63);
        missed[after | present] += (cycle - previousCycle - 1 + CYCLES) % CYCLES;
        previousCycle = cycle;
        after = present;
    }

    /** Returns the number of cycles without a packet from the first to the last recorded packet. */
    long count() {
        return missed[0];
    }
}
