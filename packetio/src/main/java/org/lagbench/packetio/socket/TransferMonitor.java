package org.lagbench.packetio.socket;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Reads the state of a transfer's connection in a dedicated thread every {@value #PERIOD_MS} ms. The first state of a
 * transfer is read before its first piece is sent, the last one when its answer was read. A poll allocates nothing.
 *
 * <p>One thread calls {@link #begin} and {@link #answered}; any thread may call the other methods.
 */
public final class TransferMonitor implements AutoCloseable {
    private static final int PERIOD_MS = 1;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);

    private final TransferRecorder recorder;
    private final long[] state = new long[TransferRecorder.VALUES];
    private final Thread thread = new Thread(this::pollUntilClosed, "transfer-monitor");
    private volatile boolean closing;

    // Guarded by this object's lock.
    private @Nullable TransferSender polled;
    private boolean hasStates = true;

    /** @param recorder closed with this */
    public TransferMonitor(TransferRecorder recorder) {
        this.recorder = recorder;
        thread.setDaemon(true);
        thread.start();
    }

    /** Records the state of the connection of a transfer that is about to begin, and polls it from now on. */
    public synchronized void begin(long transfer, TransferSender sender) {
        polled = sender;
        state[0] = transfer;
        poll();
        LockSupport.unpark(thread);
    }

    /**
     * Ends the polling, and records the last state and the answer.
     *
     * @param startNs when the connection was opened; −1 if an earlier transfer opened it
     * @param connectedNs when it was established; −1 likewise
     */
    public synchronized void answered(long startNs, long connectedNs, long answeredNs) {
        end();
        recorder.answered(state[0], startNs, connectedNs, answeredNs);
    }

    /** Ends the polling of the current transfer, if any, and records its last state. */
    public synchronized void end() {
        poll();
        polled = null;
    }

    /** Returns whether the states of the connections are recorded. */
    public synchronized boolean hasStates() {
        return hasStates;
    }

    private void pollUntilClosed() {
        while (!closing) {
            boolean isPolling;
            synchronized (this) {
                isPolling = polled != null;
                poll();
            }
            if (isPolling) {
                LockSupport.parkNanos(this, PERIOD_NS);
            } else {
                LockSupport.park(this);
            }
        }
    }

    private synchronized void poll() {
        TransferSender sender = polled;
        if (sender == null || !hasStates) {
            return;
        }
        try {
            hasStates = sender.readState(state, 1);
            if (hasStates) {
                recorder.state(state);
            }
        } catch (IOException e) {
            recorder.fail(e);
            polled = null;
        }
    }

    /**
     * Ends the thread and closes the recorder. May be called more than once.
     *
     * @throws IOException if something was not recorded
     */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            closing = true;
            polled = null;
        }
        LockSupport.unpark(thread);
        Uninterruptibly.join(thread);
        recorder.close();
    }
}
