package org.lagbench.core.time;

/** How fine the clock is that stamps. */
public final class ClockResolution {
    private static final int READS = 10_000;

    private ClockResolution() {}

    /**
     * The smallest step seen between two different readings in a row, in ns: an upper bound of the clock's resolution,
     * no finer than the time that a reading takes. Takes about a millisecond.
     */
    public static long measureNs() {
        long smallest = Long.MAX_VALUE;
        long before = RealtimeClock.nowNs();
        for (int i = 0; i < READS; i++) {
            long now = RealtimeClock.nowNs();
            if (now > before) {
                smallest = Math.min(smallest, now - before);
            }
            before = now;
        }
        return smallest;
    }
}
