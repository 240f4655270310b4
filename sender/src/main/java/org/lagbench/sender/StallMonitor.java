package org.lagbench.sender;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.control.ControlReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.engine.SendEngine;

/**
 * Breaks a run in which no packet can be sent for too long: the receiver lives but takes none. Time in which this
 * process was stopped does not count.
 */
final class StallMonitor implements AutoCloseable {
    /** Seldom, as every look may keep a packet waiting; a shorter timeout is looked for four times. */
    private static final long LONGEST_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);

    private final SendEngine path;
    private final ControlReader voice;
    private final Duration timeout;
    private final long intervalNs;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean sending;

    private StallMonitor(SendEngine path, ControlReader voice, Duration timeout) {
        this.path = path;
        this.voice = voice;
        this.timeout = timeout;
        this.intervalNs = Math.min(LONGEST_INTERVAL_NS, timeout.toNanos() / 4);
    }

    /** Begins to watch. */
    static StallMonitor over(SendEngine path, ControlReader voice, Duration timeout) {
        StallMonitor watch = new StallMonitor(path, voice, timeout);
        Thread thread = new Thread(watch::watch, "stall-watch");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    /** Says whether packets should be leaving now. */
    void sending(boolean now) {
        sending = now;
    }

    private void watch() {
        long last = path.lastSequence();
        long stalledNs = 0;
        long lastLookNs = System.nanoTime();
        try {
            while (!closed.await(intervalNs, TimeUnit.NANOSECONDS)) {
                long nowNs = System.nanoTime();
                stalledNs += Math.min(nowNs - lastLookNs, 2 * intervalNs);
                lastLookNs = nowNs;
                long now = path.lastSequence();
                if (now != last || !sending) {
                    last = now;
                    stalledNs = 0;
                } else if (stalledNs > timeout.toNanos()) {
                    voice.fail(new LagbenchException(
                            ExitCode.BROKEN,
                            "No packet could be sent for " + timeout.toSeconds()
                                    + " s; the receiver has stopped taking them."));
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
