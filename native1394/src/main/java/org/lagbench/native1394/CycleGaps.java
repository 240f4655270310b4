package org.lagbench.native1394;

/**
 * Counts the bus cycles between the recorded packets of a stream in which no packet of it came. A packet of the warm-up
 * (negative sequence number) takes the same way through the code, without a branch: what the compiler made of it while
 * the bench warmed up is what the first recorded packet meets. One thread at a time; allocates nothing.
 */
final class CycleGaps {
    /** Cycles are numbered modulo this: 128 seconds of 8,000. */
    private static final long CYCLES = 128 * 8_000L;

    private static final int AFTER_WARM_UP = 1;

    /** After a recorded packet, and after one of the warm-up or none, of which nobody wants to know. */
    private final long[] missed = new long[2];

    private int after = AFTER_WARM_UP;
    private long previousCycle;

    /**
     * Takes the next packet.
     *
     * @param sequence its sequence number
     * @param cycle the cycle it came in, 0 to 1,023,999
     */
    void packet(long sequence, long cycle) {
        missed[after] += (cycle - previousCycle - 1 + CYCLES) % CYCLES;
        previousCycle = cycle;
        after = (int) (sequence >>> 63);
    }

    /** How many cycles have gone by without a packet since the first recorded one, up to the last. */
    long count() {
        return missed[0];
    }
}
