package org.lagbench.core.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a step of CLOCK_REALTIME from the noise of reading two clocks one after the other. CLOCK_REALTIME is read
 * between two readings of the monotonic clock; what it reads more than their middle is right to half the bracket.
 * Thread-safe.
 */
final class StepDetector {
    /** Smallest jump that is taken for a step, in ns, beyond drift and what the brackets leave open. */
    static final long SMALLEST_STEP_NS = 20_000;

    /** How fast or slow a CLOCK_REALTIME may run against the monotonic clock if one kernel does not keep both. */
    static final int LARGEST_DRIFT_PPM = 500;

    /**
     * A bracket as close as this needs no other: it adds little to what is not taken for a step, and even code that the
     * compiler has not touched, as is looked with 20 times a second, has it at the first try.
     */
    private static final long CLOSE_NS = 5_000;

    /** A bracket so much wider than the closest ever was hides what is looked for. */
    private static final long TOO_WIDE_NS = SMALLEST_STEP_NS / 2;

    private static final int MOST_BRACKETS = 16;

    private final LongSupplier realtimeNs;
    private final LongSupplier monotonicNs;
    private final int driftPpm;
    private final List<ClockStep> steps = new ArrayList<>();
    private long closestNs = Long.MAX_VALUE;
    private @Nullable Difference last;

    /**
     * What CLOCK_REALTIME read, how much more that was than the monotonic clock read then, and how wide the bracket.
     */
    private record Difference(long realtimeNs, long monotonicNs, long bracketNs) {
        long ns() {
            return realtimeNs - monotonicNs;
        }
    }

    /**
     * A detector that has not looked yet.
     *
     * @param driftPpm how fast or slow CLOCK_REALTIME may run against the monotonic clock without being set, in ppm
     */
    StepDetector(LongSupplier realtimeNs, LongSupplier monotonicNs, int driftPpm) {
        this.realtimeNs = realtimeNs;
        this.monotonicNs = monotonicNs;
        this.driftPpm = driftPpm;
    }

    /**
     * Compares the clocks with how they were last; when the thread is kept from the CPU meanwhile, next time will do.
     */
    synchronized void look() {
        Difference now = closest();
        closestNs = Math.min(closestNs, now.bracketNs());
        if (now.bracketNs() <= closestNs + TOO_WIDE_NS) {
            compare(now);
        }
    }

    /** Compares them however uncertainly, as there may be no next time. */
    synchronized void confirmStep() {
        compare(closest());
    }

    private void compare(Difference now) {
        Difference before = last;
        last = now;
        if (before != null) {
            long jumpNs = now.ns() - before.ns();
            long driftNs = OffsetInterval.driftNs(now.monotonicNs() - before.monotonicNs(), driftPpm);
            long uncertainNs = (before.bracketNs() + now.bracketNs()) / 2;
            if (Math.abs(jumpNs) > SMALLEST_STEP_NS + driftNs + uncertainNs) {
                steps.add(new ClockStep(now.realtimeNs(), jumpNs));
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
