package org.lagbench.core.clock;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.time.RealtimeClock;

/**
 * Notices when somebody sets CLOCK_REALTIME: what it reads more than CLOCK_MONOTONIC jumps, while a daemon that only
 * slews the clock moves both alike.
 *
 * <p>A thread of its own looks when the operating system says that the clock was set ({@link ClockStepNotifier}), and
 * finds every step of more than 20 µs + the time that reading the clocks takes. It takes no CPU time from the packets
 * meanwhile.
 *
 * <p>Where the operating system does not say so, the thread looks every {@value #INTERVAL_MS} ms. It then finds every
 * step of more than 20 µs + 500 ppm of the time since it last looked + the time that reading the clocks takes: 50 µs in
 * all, unless it was kept from the CPU. A CLOCK_REALTIME that merely runs at another rate than the monotonic clock is
 * no step, nor is being kept from the CPU between two readings.
 *
 * <p>{@link #steps} may be called by any thread.
 */
public final class ClockStepMonitor implements AutoCloseable {
    /** How often it looks if it must, in ms. */
    public static final int INTERVAL_MS = 50;

    private final @Nullable ClockStepNotifier notice;
    private final StepDetector detector;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "clock-step-watch");

    private ClockStepMonitor(@Nullable ClockStepNotifier notice, LongSupplier realtimeNs, LongSupplier monotonicNs) {
        this.notice = notice;
        // A kernel that tells of it keeps both clocks, at one rate; one that is not the kernel's may drift.
        detector = new StepDetector(realtimeNs, monotonicNs, notice == null ? StepDetector.LARGEST_DRIFT_PPM : 0);
    }

    /** Watches this host's clock from now on. */
    public static ClockStepMonitor start() {
        return start(ClockStepNotifier.find(), RealtimeClock::nowNs, System::nanoTime);
    }

    /** Watches other clocks, of which the notice tells if there is one; it is closed with the watch. */
    static ClockStepMonitor start(
            @Nullable ClockStepNotifier notice, LongSupplier realtimeNs, LongSupplier monotonicNs) {
        ClockStepMonitor watch = new ClockStepMonitor(notice, realtimeNs, monotonicNs);
        watch.detector.look();
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** The steps seen since the start, in their order. */
    public List<ClockStep> steps() {
        return detector.steps();
    }

    /**
     * Ends the thread, having looked a last time if it looks by itself; {@link #steps} stays. Closing again does
     * nothing.
     */
    @Override
    public synchronized void close() {
        if (closing.getCount() == 0) {
            return;
        }
        closing.countDown();
        if (notice == null) {
            detector.look();
        } else {
            notice.end();
        }
        Uninterruptibly.join(thread);
        if (notice != null) {
            notice.close();
        }
    }

    private void watch() {
        try {
            if (notice == null) {
                while (!closing.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
                    detector.look();
                }
            } else {
                while (closing.getCount() > 0 && notice.await()) {
                    detector.confirmStep();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does, and nobody else uses this thread
        }
    }
}
