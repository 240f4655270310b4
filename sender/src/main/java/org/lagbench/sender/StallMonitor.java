package org.lagbench.sender;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.lagbench.control.ControlReader;
import org.lagbench.control.Heartbeat;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.packetio.engine.SendEngine;

/**
 * Breaks a run if no packet can be sent for too long: the receiver runs but does not receive. Also breaks it if the
 * receiver is silent for too long: it was stopped or cannot be reached. Time in which this process was stopped does not
 * count.
 */
final class StallMonitor implements AutoCloseable {
    /**
     * The longest interval between checks. It is long because every check may delay a packet. Within a short timeout
     * there are four checks.
     */
    private static final long MAXIMUM_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);

    private final SendEngine sender;
    private final ControlReader reader;
    private final long silenceNs;
    private final long sendTimeoutNs;
    private final long intervalNs;
    private final BackgroundThread thread = new BackgroundThread("stall-monitor", this::checkUntilClosed);
    private volatile boolean sending;

    /**
     * Starts to monitor on a separate thread.
     *
     * @param holdNs how long the transport may repair packets after the last one was sent, in ns
     */
    StallMonitor(SendEngine sender, ControlReader reader, Duration timeout, long holdNs) {
        this.sender = sender;
        this.reader = reader;
        this.silenceNs = Heartbeat.longestSilence(timeout).toNanos();
        this.sendTimeoutNs = timeout.toNanos() + holdNs;
        this.intervalNs = Math.min(MAXIMUM_INTERVAL_NS, timeout.toNanos() / 4);
        thread.start();
    }

    /** Sets whether packets should be sent now. */
    void sending(boolean now) {
        sending = now;
    }

    private void checkUntilClosed() {
        long last = sender.lastIndex();
        long messagesRead = reader.messagesRead();
        long stalledNs = 0;
        long silentNs = 0;
        long lastCheckNs = System.nanoTime();
        while (!thread.isClosedWithin(intervalNs)) {
            long nowNs = System.nanoTime();
            long passedNs = Math.min(nowNs - lastCheckNs, 2 * intervalNs);
            lastCheckNs = nowNs;
            long current = sender.lastIndex();
            stalledNs = current != last || !sending ? 0 : stalledNs + passedNs;
            last = current;
            silentNs = reader.messagesRead() != messagesRead ? 0 : silentNs + passedNs;
            messagesRead = reader.messagesRead();
            if (stalledNs > sendTimeoutNs) {
                fail("No packet could be sent for " + format(sendTimeoutNs) + ": the receiver stopped receiving.");
                return;
            } else if (silentNs > silenceNs) {
                fail("The receiver has been silent for " + format(silenceNs)
                        + ": it was stopped, or the network to it fails.");
                return;
            }
        }
    }

    private static String format(long ns) {
        return String.format(Locale.ROOT, "%.1f s", (double) ns / TimeUnit.SECONDS.toNanos(1));
    }

    private void fail(String sentence) {
        reader.fail(ExitCode.BROKEN.failure(sentence));
    }

    void end() {
        thread.end();
    }

    @Override
    public void close() {
        end();
    }
}
