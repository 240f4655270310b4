package org.lagbench.core.clock;

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
    public List<ClockStep> steps() {
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
            detector.compare();
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
}
