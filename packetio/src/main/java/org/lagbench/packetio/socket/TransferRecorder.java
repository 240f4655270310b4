package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * Writes the transfers of a run, and the states of their connections. Thread-safe. If writing one file fails, the other
 * is still written, and {@link #close} throws the failure. Recording allocates nothing.
 */
public final class TransferRecorder implements AutoCloseable {
    /** The number of values of {@link #state}: the transfer and the fields of {@code tcp_state.h}. */
    public static final int VALUES = TransferFiles.TCP_FIELDS.size();

    /** How the states are read, for the metadata. */
    public static final String POLLING = "TCP_INFO, every ms";

    private static final int CWND = TransferFiles.TCP_FIELDS.indexOf("cwnd_segments");

    private final GrowingCapture transfers;
    private final GrowingCapture states;
    private boolean closed;
    private long initialWindow = -1;

    private TransferRecorder(GrowingCapture transfers, GrowingCapture states) {
        this.transfers = transfers;
        this.states = states;
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
     * transfer opened it), and when the answer was received.
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
            for (GrowingCapture file : List.of(transfers, states)) {
                IOException failure = file.failure();
                if (failure != null) {
                    throw failure;
                }
            }
        }
    }
}
