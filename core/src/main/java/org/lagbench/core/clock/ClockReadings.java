package org.lagbench.core.clock;

import java.util.function.LongSupplier;
import org.lagbench.core.file.Within;

/**
 * Readings of CLOCK_REALTIME and the monotonic clock at about the same moment. CLOCK_REALTIME is read between two
 * readings of the monotonic clock, the bracket, so their difference is exact to half the bracket's width.
 *
 * @param realtimeNs the reading of CLOCK_REALTIME in ns since the epoch
 * @param monotonicNs the middle of the bracket
 * @param bracketNs the width of the bracket
 */
public record ClockReadings(
        @Within(max = Within.LATEST_NS) long realtimeNs,
        @Within(max = Within.LATEST_NS) long monotonicNs,
        @Within(max = Within.LATEST_NS) long bracketNs) {
    /** A bracket of at most this width, in ns, is not repeated: even interpreted code reaches it at the first try. */
    private static final long CLOSE_NS = 5_000;

    private static final int MAX_BRACKETS = 16;

    /** Returns readings of this host's clocks, the closest of some tries. */
    public static ClockReadings take() {
        return take(RealtimeClock::nowNs, System::nanoTime);
    }

    static ClockReadings take(LongSupplier realtimeNs, LongSupplier monotonicNs) {
        ClockReadings best = bracket(realtimeNs, monotonicNs);
        for (int i = 1; i < MAX_BRACKETS && best.bracketNs > CLOSE_NS; i++) {
            ClockReadings next = bracket(realtimeNs, monotonicNs);
            if (next.bracketNs < best.bracketNs) {
                best = next;
            }
        }
        return best;
    }

    private static ClockReadings bracket(LongSupplier realtimeNs, LongSupplier monotonicNs) {
        long before = monotonicNs.getAsLong();
        long realtime = realtimeNs.getAsLong();
        long after = monotonicNs.getAsLong();
        return new ClockReadings(realtime, before + (after - before) / 2, after - before);
    }

    /** Returns how far CLOCK_REALTIME is ahead of the monotonic clock. */
    public long differenceNs() {
        return realtimeNs - monotonicNs;
    }

    /**
     * Returns how much more CLOCK_REALTIME is ahead of the monotonic clock than in other readings, in ns; 0 if both
     * readings may be of the same pair of clocks. Only a step changes the difference within a pair, because a daemon
     * slews both clocks equally.
     */
    public long aheadOfNs(ClockReadings other) {
        long aheadNs = differenceNs() - other.differenceNs();
        return Math.abs(aheadNs) <= (bracketNs + other.bracketNs) / 2 + 1 ? 0 : aheadNs;
    }
}
