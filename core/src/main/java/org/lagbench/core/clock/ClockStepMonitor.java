package org.lagbench.core.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.BackgroundThread;

/**
 * Detects steps of CLOCK_REALTIME: its difference from CLOCK_MONOTONIC changes at once, while a daemon that only slews
 * the clock moves both equally.
 *
 * <p>A separate thread compares the clocks when the operating system reports a step ({@link ClockStepNotifier}), and
 * detects steps of more than 20 µs + the time that reading the clocks takes.
 *
 * <p>If the operating system does not report steps, the thread polls every {@value #INTERVAL_MS} ms. It then detects
 * steps of more than 20 µs + 500 ppm of the time since the last poll + the time that reading the clocks takes: 50 µs in
 * all unless it was kept from the CPU. Neither another rate of CLOCK_REALTIME nor a delay between two readings counts
 * as a step.
 *
 * <p>{@link #steps} may be called by any thread.
 */
public final class ClockStepMonitor implements AutoCloseable {
    /** The polling interval in ms. */
    public static final int INTERVAL_MS = 50;

    private final @Nullable ClockStepNotifier notifier;
    private final StepDetector detector;
    private final BackgroundThread thread = new BackgroundThread("clock-step-monitor", this::watch);

    /** Starts to watch clocks, with a notifier if there is one; it is closed with the monitor. */
    ClockStepMonitor(@Nullable ClockStepNotifier notifier, LongSupplier realtimeNs, LongSupplier monotonicNs) {
        this.notifier = notifier;
        // A kernel that reports steps keeps both clocks at one rate; a clock of another source may drift.
        detector = new StepDetector(realtimeNs, monotonicNs, notifier == null ? StepDetector.LARGEST_DRIFT_PPM : 0);
        detector.compare();
        thread.start();
    }

    /** Starts to watch this host's clock. */
    public static ClockStepMonitor start() {
        return new ClockStepMonitor(ClockStepNotifier.find(), RealtimeClock::nowNs, System::nanoTime);
    }

    /** Returns the steps since the start, in their order. */
    public List<ClockHistory.ClockStep> steps() {
        return detector.steps();
    }

    /**
     * Ends the thread, after a last comparison if it polls; {@link #steps} stays available. Closing again does nothing.
     */
    @Override
    public synchronized void close() {
        if (thread.isClosing()) {
            return;
        }
        thread.end();
        if (notifier == null) {
            detector.confirmStep();
        } else {
            notifier.end();
        }
        thread.close();
        if (notifier != null) {
            notifier.close();
        }
    }

    private void watch() {
        if (notifier == null) {
            while (!thread.isClosedWithin(TimeUnit.MILLISECONDS.toNanos(INTERVAL_MS))) {
                detector.compare();
            }
        } else {
            while (!thread.isClosing() && notifier.await()) {
                detector.confirmStep();
            }
        }
    }

    /** Distinguishes a step of CLOCK_REALTIME from the noise of reading two clocks in turn. Thread-safe. */
    static final class StepDetector {
        /** Smallest change that counts as a step, in ns, besides drift and the uncertainty of the brackets. */
        static final long SMALLEST_STEP_NS = 20_000;

        /** Largest rate difference between CLOCK_REALTIME and the monotonic clock if one kernel does not keep both. */
        static final int LARGEST_DRIFT_PPM = 500;

        /** A bracket wider than the narrowest one by this much could hide a step. */
        private static final long TOO_WIDE_NS = SMALLEST_STEP_NS / 2;

        private final LongSupplier realtimeNs;
        private final LongSupplier monotonicNs;
        private final int driftPpm;
        private final List<ClockHistory.ClockStep> steps = new ArrayList<>();
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
         * Compares the clocks' difference with that of the last call. Skips readings during which the thread had no
         * CPU.
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
                    steps.add(new ClockHistory.ClockStep(now.realtimeNs(), changeNs));
                }
            }
        }

        synchronized List<ClockHistory.ClockStep> steps() {
            return List.copyOf(steps);
        }
    }
}
