package org.lagbench.packetio.pace;

/**
 * What CLOCK_REALTIME reads more than the monotonic clock. Both run at the same rate, slewed alike, so that the
 * difference stays until somebody steps CLOCK_REALTIME; {@link #follow} and {@link #followIdly} notice that.
 *
 * <p>The offset is taken from a reading of CLOCK_REALTIME and the reading of the monotonic clock that came after it, so
 * that it errs on the low side, by no more than the time between the two.
 */
final class RealtimeOffset {
    /** Smallest step of CLOCK_REALTIME that is followed, in ns; where reading a clock is slow, a few readings more. */
    private static final long SMALLEST_STEP_NS = 10_000;

    /** How long after a look there is no need of another, in ns; packets that leave meanwhile may miss a step. */
    static final long FRESH_NS = 10_000;

    /** How long a look takes at the most where nothing disturbs it and the clocks are quick to read, in ns. */
    private static final long LOOK_NS = 1_000;

    /** Enough for one that no interrupt falls into. */
    private static final int MEASUREMENTS = 8;

    private final Clocks clocks;
    private final long toleranceNs;

    /** How far the last measurement may be off. */
    private long uncertaintyNs;

    private long offsetNs;
    private long lookedNs;
    private long steps;

    RealtimeOffset(Clocks clocks) {
        this.clocks = clocks;
        this.lookedNs = clocks.monotonicNs() - FRESH_NS;
        this.offsetNs = measureNs();
        this.toleranceNs = SMALLEST_STEP_NS + 2 * uncertaintyNs;
    }

    /** What CLOCK_REALTIME reads when the monotonic clock reads that, both in ns. */
    long realtimeNs(long monotonicNs) {
        return monotonicNs + offsetNs;
    }

    /** How often CLOCK_REALTIME was stepped, as far as it was noticed. */
    long steps() {
        return steps;
    }

    /**
     * Takes over a step of CLOCK_REALTIME, if there was one by now, unless that was looked for less than
     * {@value #FRESH_NS} ns ago.
     *
     * @param monotonicNs what the monotonic clock has just read
     */
    void follow(long monotonicNs) {
        if (monotonicNs - lookedNs >= FRESH_NS) {
            look(monotonicNs);
        }
    }

    /**
     * Does as {@link #follow} in time that is waited through anyway, and so often that there is nothing to do for it at
     * the end of the wait.
     *
     * @param leftNs how long the wait still takes
     */
    void followIdly(long monotonicNs, long leftNs) {
        if (monotonicNs - lookedNs >= FRESH_NS / 2 && leftNs >= LOOK_NS) {
            look(monotonicNs);
        }
    }

    private void look(long monotonicNs) {
        lookedNs = monotonicNs;
        long ahead = clocks.realtimeNs() - realtimeNs(monotonicNs);
        if (Math.abs(ahead) > toleranceNs) {
            long measured = measureNs(); // the thread may merely have been kept from the CPU between the two readings
            if (Math.abs(measured - offsetNs) > toleranceNs) {
                offsetNs = measured;
                steps++;
            }
        }
    }

    private long measureNs() {
        long shortestNs = Long.MAX_VALUE;
        long best = 0;
        for (int i = 0; i < MEASUREMENTS; i++) {
            long before = clocks.monotonicNs();
            long realtime = clocks.realtimeNs();
            long after = clocks.monotonicNs();
            if (after - before < shortestNs) {
                shortestNs = after - before;
                best = realtime - after;
            }
        }
        uncertaintyNs = shortestNs;
        return best;
    }
}
