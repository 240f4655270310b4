package org.lagbench.core.clock;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.time.RealtimeClock;

/**
 * Notices when somebody sets CLOCK_REALTIME: what it reads more than CLOCK_MONOTONIC jumps, while a daemon that only
 * slews the clock moves both alike.
 *
 * <p>A thread of its own looks every {@value #INTERVAL_MS} ms. It finds every step of more than 20 µs + 500 ppm of the
 * time since it last looked + the time that reading the clocks takes: 50 µs in all, unless it was kept from the CPU. A
 * CLOCK_REALTIME that merely runs at another rate than the monotonic clock is no step, nor is being kept from the CPU
 * between two readings.
 *
 * <p>{@link #steps} may be called by any thread.
 */
public final class ClockStepWatch implements AutoCloseable {
    /** How often it looks, in ms. */
    public static final int INTERVAL_MS = 50;

    private final StepDetector detector = new StepDetector(RealtimeClock::nowNs, System::nanoTime);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "clock-step-watch");

    private ClockStepWatch() {}

    /** Watches this host's clock from now on. */
    public static ClockStepWatch start() {
        ClockStepWatch watch = new ClockStepWatch();
        watch.detector.look();
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** The steps seen since the start, in their order. */
    public List<ClockStep> steps() {
        return detector.steps();
    }

    /** Looks a last time and ends the thread; {@link #steps} stays. Closing again does nothing. */
    @Override
    public void close() {
        if (closing.getCount() > 0) {
            detector.look();
            closing.countDown();
        }
    }

    private void watch() {
        try {
            while (!closing.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
                detector.look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does, and nobody else uses this thread
        }
    }
}
