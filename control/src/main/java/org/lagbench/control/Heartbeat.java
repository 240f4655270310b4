package org.lagbench.control;

import java.io.IOException;
import java.time.Duration;
import org.lagbench.core.failure.BackgroundThread;

/**
 * Sends {@link ControlMessage.Alive} several times in the stall timeout on a separate thread, so that the peer can
 * distinguish a side that works from one that was stopped. While this side sends a file it instead closes the
 * connection if the peer reads nothing for that time. Ends when the connection is closed.
 */
public final class Heartbeat implements AutoCloseable {
    private static final int BEATS_PER_TIMEOUT = 4;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final ControlConnection connection;
    private final Duration stallTimeout;
    private final BackgroundThread thread = new BackgroundThread("heartbeat", this::beatUntilClosed);
    private boolean isQuiet;

    /** Starts to send heartbeats on a separate thread. */
    public Heartbeat(ControlConnection connection, Duration stallTimeout) {
        this.connection = connection;
        this.stallTimeout = stallTimeout;
        thread.start();
    }

    /**
     * Returns how long a peer that sends heartbeats may be silent: longer than the stall timeout, by half of it and at
     * most a second, because a garbage collection may pause the peer.
     */
    public static Duration longestSilence(Duration stallTimeout) {
        Duration half = stallTimeout.dividedBy(2);
        return stallTimeout.plus(half.compareTo(LONGEST_PAUSE) < 0 ? half : LONGEST_PAUSE);
    }

    /** Ends the messages: after the return none is sent. Files are still watched. */
    public synchronized void quiet() {
        isQuiet = true;
    }

    private void beatUntilClosed() {
        long intervalNs = stallTimeout.toNanos() / BEATS_PER_TIMEOUT;
        long bytes = 0;
        int still = 0;
        try {
            while (!thread.isClosedWithin(intervalNs)) {
                long now = connection.fileBytesWritten();
                still = connection.writesFile() && now == bytes ? still + 1 : 0;
                bytes = now;
                if (still > BEATS_PER_TIMEOUT) {
                    connection.close();
                    return;
                }
                beat();
            }
        } catch (IOException e) {
            return; // the thread that reads finds out why
        }
    }

    private synchronized void beat() throws IOException {
        if (!isQuiet) {
            connection.write(new ControlMessage.Alive());
        }
    }

    @Override
    public void close() {
        thread.end();
    }
}
