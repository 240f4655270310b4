package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Writes the transfers of a run, and the states of their connections. Reads the state of a connection of this process
 * in a dedicated thread every {@value #PERIOD_MS} ms: the first state of a transfer before its first piece is sent, the
 * last one when its reply was read. If writing one file fails, the other is still written, and {@link #close} throws
 * the failure. Thread-safe. Recording and reading allocate nothing.
 */
public final class TransferRecorder implements AutoCloseable {
    /** The number of values of {@link #state}: the transfer and the fields of {@code tcp_state.h}. */
    public static final int VALUES = TransferFiles.TCP_FIELDS.size();

    /** How the states are read, for the metadata. */
    public static final String POLLING = "TCP_INFO, every ms";

    private static final int PERIOD_MS = 1;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);
    private static final int CWND = TransferFiles.TCP_FIELDS.indexOf("cwnd_segments");

    private final GrowingCapture transfers;
    private final GrowingCapture states;
    private final long[] state = new long[VALUES];
    private final Thread thread = new Thread(this::pollUntilClosed, "transfer-monitor");
    private volatile boolean closing;

    // Guarded by this object's lock.
    private @Nullable TransferSender polled;
    private boolean isStarted;
    private boolean hasStates = true;
    private boolean closed;
    private long initialWindow = -1;

    private TransferRecorder(GrowingCapture transfers, GrowingCapture states) {
        this.transfers = transfers;
        this.states = states;
        thread.setDaemon(true);
    }

    /**
     * Creates the files next to a sender's capture.
     *
     * @param count number of transfers of the run, for which disk space is reserved
     * @throws LagbenchException if they cannot be created
     */
    public static TransferRecorder of(Path captureFile, long count) throws LagbenchException {
        return IoErrors.explained("The files of the transfers cannot be created", () -> {
            Path transfersFile = captureFile.resolveSibling(TransferFiles.TRANSFERS_FILE_NAME);
            GrowingCapture transfers = GrowingCapture.create(transfersFile, TransferFiles.TRANSFERS_FIELDS);
            try {
                transfers.reserve(count);
                Path statesFile = captureFile.resolveSibling(TransferFiles.TCP_FILE_NAME);
                return new TransferRecorder(transfers, GrowingCapture.create(statesFile, TransferFiles.TCP_FIELDS));
            } catch (IOException e) {
                transfers.close();
                throw e;
            }
        });
    }

    /** Records a state: the transfer and the fields of {@code tcp_state.h}, in its order. */
    public synchronized void state(long... values) {
        if (initialWindow < 0 && values[0] == 0) {
            initialWindow = values[CWND];
        }
        if (!closed) {
            states.appendUnlessFailed(values);
        }
    }

    /**
     * Records an answered transfer: its number, when its connection was opened and established (−1 if an earlier
     * transfer opened it), and when the reply was received.
     */
    public synchronized void answered(long... values) {
        if (!closed) {
            transfers.appendUnlessFailed(values);
        }
    }

    /** Records why no more states can be recorded. */
    public synchronized void fail(IOException why) {
        states.fail(why);
    }

    /** Records the state of the connection of a transfer that is about to begin, and polls it from now on. */
    public synchronized void begin(long transfer, TransferSender sender) {
        polled = sender;
        state[0] = transfer;
        poll();
        if (isStarted) {
            LockSupport.unpark(thread);
        } else {
            isStarted = true;
            thread.start();
        }
    }

    /**
     * Ends the polling, and records the last state and the reply.
     *
     * @param startNs when the connection was opened; −1 if an earlier transfer opened it
     * @param connectedNs when the connection was established; −1 if an earlier transfer opened it
     */
    public synchronized void end(long startNs, long connectedNs, long answeredNs) {
        end();
        answered(state[0], startNs, connectedNs, answeredNs);
    }

    /** Ends the polling of the current transfer, if any, and records its last state. */
    public synchronized void end() {
        poll();
        polled = null;
    }

    /** Returns whether the states of the connections of this process are recorded. */
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
                state(state);
            }
        } catch (IOException e) {
            fail(e);
            polled = null;
        }
    }

    /** Returns the congestion window before the first transfer, in segments; −1 if unknown. */
    public synchronized long initialWindow() {
        return initialWindow;
    }

    /**
     * Ends the thread and closes the files. May be called more than once.
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
        closeFiles();
    }

    private synchronized void closeFiles() throws IOException {
        if (!closed) {
            closed = true;
            try (transfers) {
                states.close();
            }
            for (GrowingCapture file : List.of(transfers, states)) {
                IOException failure = file.failure();
                if (failure != null) {
                    throw failure;
                }
            }
        }
    }
}
