package org.lagbench.sender;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.control.ControlReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.engine.SendEngine;

/**
 * Breaks a run if no packet can be sent for too long, because the receiver lives but receives none. Time in which this
 * process was stopped does not count.
 */
final class StallMonitor implements AutoCloseable {
    /** Long, because every check may delay a packet; a shorter timeout is checked four times. */
    private static final long MAXIMUM_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);

    private final SendEngine sender;
    private final ControlReader reader;
    private final Duration timeout;
    private final long intervalNs;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean sending;

    private StallMonitor(SendEngine sender, ControlReader reader, Duration timeout) {
        this.sender = sender;
        this.reader = reader;
        this.timeout = timeout;
        this.intervalNs = Math.min(MAXIMUM_INTERVAL_NS, timeout.toNanos() / 4);
    }

    /** Starts to monitor on a separate thread. */
    static StallMonitor start(SendEngine sender, ControlReader reader, Duration timeout) {
        StallMonitor monitor = new StallMonitor(sender, reader, timeout);
        Thread thread = new Thread(monitor::checkUntilClosed, "stall-monitor");
        thread.setDaemon(true);
        thread.start();
        return monitor;
    }

    /** Sets whether packets should be sent now. */
    void sending(boolean now) {
        sending = now;
    }

    private void checkUntilClosed() {
        long last = sender.lastSequence();
        long stalledNs = 0;
        long lastCheckNs = System.nanoTime();
        try {
            while (!closed.await(intervalNs, TimeUnit.NANOSECONDS)) {
                long nowNs = System.nanoTime();
                stalledNs += Math.min(nowNs - lastCheckNs, 2 * intervalNs);
                lastCheckNs = nowNs;
                long current = sender.lastSequence();
                if (current != last || !sending) {
                    last = current;
                    stalledNs = 0;
                } else if (stalledNs > timeout.toNanos()) {
                    reader.fail(new LagbenchException(
                            ExitCode.BROKEN,
                            "No packet could be sent for " + timeout.toSeconds()
                                    + " s: the receiver does not receive any more."));
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
