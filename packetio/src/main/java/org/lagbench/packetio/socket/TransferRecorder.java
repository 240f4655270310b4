package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.TransferFiles;

/**
 * Writes the transfers of a run, and the states of their connections. Thread-safe. A failure to write ends the
 * recording, and {@link #close} throws it. Recording allocates nothing.
 */
public final class TransferRecorder implements AutoCloseable {
    /** The number of values of {@link #state}: the transfer and the fields of {@code tcp_state.h}. */
    public static final int VALUES = TransferFiles.TCP_FIELDS.size();

    /** How the states are read, for the metadata. */
    public static final String POLLING = "TCP_INFO, every ms";

    private static final int CWND = TransferFiles.TCP_FIELDS.indexOf("cwnd_segments");

    private final GrowingCapture transfers;
    private final GrowingCapture states;
    private @Nullable IOException failure;
    private boolean closed;
    private long initialWindow = -1;

    private TransferRecorder(GrowingCapture transfers, GrowingCapture states) {
        this.transfers = transfers;
        this.states = states;
    }

    /** Creates the files beside a sender's capture. */
    public static TransferRecorder of(Path captureFile) throws IOException {
        Path transfersFile = captureFile.resolveSibling(TransferFiles.TRANSFERS_FILE_NAME);
        GrowingCapture transfers = GrowingCapture.create(transfersFile, TransferFiles.TRANSFERS_FIELDS);
        try {
            return new TransferRecorder(
                    transfers,
                    GrowingCapture.create(
                            captureFile.resolveSibling(TransferFiles.TCP_FILE_NAME), TransferFiles.TCP_FIELDS));
        } catch (IOException e) {
            transfers.close();
            throw e;
        }
    }

    /** Records a state: the transfer and the fields of {@code tcp_state.h}, in its order. */
    public synchronized void state(long... values) {
        if (initialWindow < 0 && values[0] == 0) {
            initialWindow = values[CWND];
        }
        append(states, values);
    }

    /**
     * Records an answered transfer: its number, when its connection was opened and established (−1 if an earlier
     * transfer opened it), and when the answer was received.
     */
    public synchronized void answered(long... values) {
        append(transfers, values);
    }

    private void append(GrowingCapture capture, long... values) {
        if (failure == null && !closed) {
            try {
                capture.append(values);
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    /** Records why no more can be recorded. */
    public synchronized void fail(IOException why) {
        failure = failure == null ? why : failure;
    }

    /** Returns the congestion window before the first transfer, in segments; −1 if unknown. */
    public synchronized long initialWindow() {
        return initialWindow;
    }

    /**
     * Closes the files. May be called more than once.
     *
     * @throws IOException if something was not recorded
     */
    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            try (transfers) {
                states.close();
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
