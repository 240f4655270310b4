package org.lagbench.packetio.engine;

import org.lagbench.packetio.engine.Pacer.Clocks;

/**
 * The offset of CLOCK_REALTIME from the monotonic clock. Both have the same rate and slew, so the offset is constant
 * until CLOCK_REALTIME is stepped; {@link #follow} and {@link #followWhileWaiting} detect that.
 *
 * <p>The offset is a reading of CLOCK_REALTIME minus a later reading of the monotonic clock. It is therefore too low by
 * at most the time between the two.
 */
final class RealtimeOffset {
    /** The smallest step of CLOCK_REALTIME that is followed, in ns; a larger one where clocks are slow to read. */
    private static final long SMALLEST_STEP_NS = 10_000;

    /** How long a check remains valid, in ns; packets sent in this time may miss a step. */
    static final long FRESH_NS = 10_000;

    /** The longest duration of an undisturbed check where clocks are fast to read, in ns. */
    private static final long CHECK_NS = 1_000;

    /** The number of measurements, enough that at least one is not interrupted. */
    private static final int MEASUREMENTS = 8;

    private final Clocks clocks;
    private final long toleranceNs;

    /** The uncertainty of the offset in its last measurement. */
    private long uncertaintyNs;

    private long offsetNs;
    private long checkedNs;
    private long steps;

    RealtimeOffset(Clocks clocks) {
        this.clocks = clocks;
        this.checkedNs = clocks.monotonicNs() - FRESH_NS;
        this.offsetNs = measureNs();
        this.toleranceNs = SMALLEST_STEP_NS + 2 * uncertaintyNs;
    }

    /** Converts a reading of the monotonic clock to CLOCK_REALTIME, both in ns. */
    long realtimeNs(long monotonicNs) {
        return monotonicNs + offsetNs;
    }

    /** Returns the number of steps of CLOCK_REALTIME that were noticed. */
    long steps() {
        return steps;
    }

    /**
     * Checks for a step of CLOCK_REALTIME and follows it, unless the last check was less than {@value #FRESH_NS} ns
     * ago.
     *
     * @param monotonicNs the current reading of the monotonic clock
     */
    void follow(long monotonicNs) {
        if (monotonicNs - checkedNs >= FRESH_NS) {
            checkForStep(monotonicNs);
        }
    }

    /**
     * Like {@link #follow}, but for calls during a wait. Checks so early that {@link #follow} has nothing to check when
     * the wait ends.
     *
     * @param leftNs the remaining time of the wait
     */
    void followWhileWaiting(long monotonicNs, long leftNs) {
        if (monotonicNs - checkedNs >= FRESH_NS / 2 && leftNs >= CHECK_NS) {
            checkForStep(monotonicNs);
        }
    }

    private void checkForStep(long monotonicNs) {
        checkedNs = monotonicNs;
        long ahead = clocks.realtimeNs() - realtimeNs(monotonicNs);
        if (Math.abs(ahead) > toleranceNs) {
            long measured = measureNs(); // the thread may merely have been preempted between the two readings
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
