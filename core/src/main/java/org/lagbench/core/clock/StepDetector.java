package org.lagbench.core.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Distinguishes a step of CLOCK_REALTIME from the noise of reading two clocks in turn. Thread-safe. */
final class StepDetector {
    /** Smallest change that counts as a step, in ns, besides drift and the uncertainty of the brackets. */
    static final long SMALLEST_STEP_NS = 20_000;

    /** Largest rate difference between CLOCK_REALTIME and the monotonic clock if one kernel does not keep both. */
    static final int LARGEST_DRIFT_PPM = 500;

    /** A bracket that is wider than the closest one by this much would hide a step. */
    private static final long TOO_WIDE_NS = SMALLEST_STEP_NS / 2;

    private final LongSupplier realtimeNs;
    private final LongSupplier monotonicNs;
    private final int driftPpm;
    private final List<ClockStep> steps = new ArrayList<>();
    private long closestNs = Long.MAX_VALUE;
    private @Nullable ClockReadings last;

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
        ClockReadings now = ClockReadings.take(realtimeNs, monotonicNs);
        closestNs = Math.min(closestNs, now.bracketNs());
        if (now.bracketNs() <= closestNs + TOO_WIDE_NS) {
            compare(now);
        }
    }

    /** Compares the clocks however wide the bracket is, because no other comparison may follow. */
    synchronized void confirmStep() {
        compare(ClockReadings.take(realtimeNs, monotonicNs));
    }

    private void compare(ClockReadings now) {
        ClockReadings before = last;
        last = now;
        if (before != null) {
            long changeNs = now.differenceNs() - before.differenceNs();
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
}
