package org.lagbench.core.clock;

/** Measures the resolution of the clock that stamps packets. */
public final class ClockResolution {
    private static final int READS = 10_000;

    private ClockResolution() {}

    /**
     * Returns the smallest step between two successive readings, in ns: an upper bound of the clock's resolution. Takes
     * about a millisecond.
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
