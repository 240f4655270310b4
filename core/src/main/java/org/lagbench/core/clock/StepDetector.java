package org.lagbench.core.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a step of CLOCK_REALTIME from the noise of reading two clocks in turn. CLOCK_REALTIME is read between
 * two readings of the monotonic clock, the bracket. Its difference from their middle is exact to half the bracket's
 * width. Thread-safe.
 */
final class StepDetector {
    /** Smallest change that counts as a step, in ns, besides drift and the uncertainty of the brackets. */
    static final long SMALLEST_STEP_NS = 20_000;

    /** Largest rate difference between CLOCK_REALTIME and the monotonic clock if one kernel does not keep both. */
    static final int LARGEST_DRIFT_PPM = 500;

    /** A bracket of at most this width, in ns, is not repeated: even interpreted code reaches it at the first try. */
    private static final long CLOSE_NS = 5_000;

    /** A bracket that is wider than the closest one by this much would hide a step. */
    private static final long TOO_WIDE_NS = SMALLEST_STEP_NS / 2;

    private static final int MOST_BRACKETS = 16;

    private final LongSupplier realtimeNs;
    private final LongSupplier monotonicNs;
    private final int driftPpm;
    private final List<ClockStep> steps = new ArrayList<>();
    private long closestNs = Long.MAX_VALUE;
    private @Nullable Difference last;

    /** Readings of both clocks at about the same moment, and the width of the bracket. */
    private record Difference(long realtimeNs, long monotonicNs, long bracketNs) {
        long ns() {
            return realtimeNs - monotonicNs;
        }
    }

    /**
     * Creates a detector that has not compared the clocks yet.
     *
     * @param driftPpm largest rate difference of the clocks without a step, in ppm
     */
    StepDetector(LongSupplier realtimeNs, LongSupplier monotonicNs, int driftPpm) {
        this.realtimeNs = realtimeNs;
        this.monotonicNs = monotonicNs;
        this.driftPpm = driftPpm;
    }

    /**
     * Compares the clocks' difference with that of the last call. Skips readings during which the thread had no CPU.
     */
    synchronized void compare() {
        Difference now = closest();
        closestNs = Math.min(closestNs, now.bracketNs());
        if (now.bracketNs() <= closestNs + TOO_WIDE_NS) {
            compare(now);
        }
    }

    /** Compares the clocks however wide the bracket is, because no other comparison may follow. */
    synchronized void confirmStep() {
        compare(closest());
    }

    private void compare(Difference now) {
        Difference before = last;
        last = now;
        if (before != null) {
            long changeNs = now.ns() - before.ns();
            long driftNs = OffsetInterval.driftNs(now.monotonicNs() - before.monotonicNs(), driftPpm);
            long uncertainNs = (before.bracketNs() + now.bracketNs()) / 2;
            if (Math.abs(changeNs) > SMALLEST_STEP_NS + driftNs + uncertainNs) {
                steps.add(new ClockStep(now.realtimeNs(), changeNs));
            }
        }
    }

    synchronized List<ClockStep> steps() {
        return List.copyOf(steps);
    }

    private Difference closest() {
        Difference best = bracket();
        for (int i = 1; i < MOST_BRACKETS && best.bracketNs() > CLOSE_NS; i++) {
            Difference next = bracket();
            if (next.bracketNs() < best.bracketNs()) {
                best = next;
            }
        }
        return best;
    }

    private Difference bracket() {
        long before = monotonicNs.getAsLong();
        long realtime = realtimeNs.getAsLong();
        long after = monotonicNs.getAsLong();
        return new Difference(realtime, before + (after - before) / 2, after - before);
    }
}
