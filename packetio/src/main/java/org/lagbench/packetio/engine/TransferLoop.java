package org.lagbench.packetio.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.socket.TransferRecorder;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Sends transfers, one at a time, and waits for the reply of each. Each has a new connection, unless the run keeps one
 * for all. The warm-up has separate connections, so that it does not open the congestion window of a recorded one.
 * Allocates nothing per piece.
 */
public final class TransferLoop implements SendEngine {
    private static final long WARM_UP_CONNECTIONS_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final SideConfig config;
    private final Connections connections;
    private final long transferPieces;
    private final SenderCapture capture;
    private final TransferRecorder recorder;
    private Map<String, String> receiver = Map.of();
    private volatile @Nullable TransferSender sender;
    private volatile @Nullable SendLoop pieces;
    private volatile boolean stopped;
    private long cpuNs = ThreadCpuTime.UNKNOWN;

    /** Opens the sending side of connections. */
    public interface Connections {
        /**
         * Opens a connection, see {@link org.lagbench.packetio.transport.PacketTransport#openTransferSender}.
         *
         * @param introduces whether it begins with the run's tag
         */
        TransferSender open(boolean introduces) throws LagbenchException;

        /** Returns the sender of pieces over a new connection: the connection itself if each piece is a packet. */
        default PacketSender pieces(TransferSender connection, boolean introduces) {
            return connection;
        }

        /** Releases the resources that all connections share. May be called more than once. */
        default void close() throws IOException {}
    }

    /**
     * Creates the loop and the files of its transfers next to the capture.
     *
     * @throws LagbenchException if they cannot be created
     */
    public TransferLoop(SideConfig config, SenderCapture capture, Connections connections) throws LagbenchException {
        this.config = config;
        this.connections = connections;
        this.transferPieces = config.pieces();
        this.capture = capture;
        this.recorder =
                TransferRecorder.of(config.captureFile(), config.transfers().count());
    }

    /** Opens the first connection of the warm-up, so that an unreachable receiver is known before the run. */
    @Override
    public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        receiver = Map.copyOf(receiverAnnounced);
        openConnection(true);
    }

    private TransferSender openConnection(boolean introduces) throws LagbenchException {
        TransferSender opened = connections.open(introduces);
        sender = opened;
        PacketSender sendsPieces = connections.pieces(opened, introduces);
        pieces = new SendLoop(sendsPieces, config, capture);
        if (stopped) {
            opened.close();
        }
        sendsPieces.connect(receiver);
        return opened;
    }

    @Override
    public void send(long first, long end, Pace pace, long startNs) throws IOException {
        if (first < 0) {
            sendWarmUp(first, end, pace, startNs);
        } else {
            sendTransfers(first, end, pace, startNs);
        }
    }

    /**
     * Sends pieces over separate connections without waiting for the replies. If each recorded transfer has a new
     * connection, so has each warm-up transfer, so that the JIT compiles the connection setup on both sides. Connection
     * setup is slow over a long path, so after a time limit one connection carries all remaining pieces.
     */
    private void sendWarmUp(long first, long end, Pace pace, long startNs) throws IOException {
        long beginNs = System.nanoTime();
        for (long from = first; from < end; ) {
            boolean isWhole =
                    !config.transfers().keepsConnection() && System.nanoTime() - beginNs < WARM_UP_CONNECTIONS_NS;
            long to = isWhole ? Math.min(from + transferPieces, end) : end;
            connection();
            sendPieces(from, to, pace, startNs);
            closeConnection();
            from = to;
        }
    }

    private void sendTransfers(long first, long end, Pace pace, long startNs) throws IOException {
        closeConnection(); // the connection that connect() opened, if there was no warm-up
        long cpuBeforeNs = ThreadCpuTime.currentNs();
        try {
            for (long from = first; from < end; from += transferPieces) {
                boolean isNew = sender == null;
                TransferSender connected = connection();
                recorder.begin(from / transferPieces, connected);
                sendPieces(from, from + transferPieces, pace, startNs);
                long answeredNs = connected.awaitReply();
                recorder.end(isNew ? connected.connectStartNs() : -1, isNew ? connected.connectedNs() : -1, answeredNs);
                if (!config.transfers().keepsConnection()) {
                    closeConnection();
                }
            }
        } finally {
            recorder.end();
            long nowNs = ThreadCpuTime.currentNs();
            cpuNs = nowNs == ThreadCpuTime.UNKNOWN ? nowNs : nowNs - cpuBeforeNs;
        }
        closeConnection();
    }

    private void sendPieces(long first, long end, Pace pace, long startNs) throws IOException {
        SendLoop loop = pieces;
        if (stopped || loop == null) {
            throw new InterruptedIOException("the run was stopped");
        }
        loop.send(first, end, pace, startNs);
    }

    /** Returns the open connection, or a new one. */
    private TransferSender connection() throws IOException {
        TransferSender open = sender;
        if (open != null) {
            return open;
        }
        try {
            return openConnection(false);
        } catch (LagbenchException e) {
            throw new IOException(e.sentence(), e);
        }
    }

    /** Waits until the receiver has read everything, then closes the connection, if there is one. */
    private void closeConnection() throws IOException {
        TransferSender open = sender;
        if (open != null) {
            open.finish();
            open.close();
            sender = null;
        }
    }

    @Override
    public long lastIndex() {
        SendLoop loop = pieces;
        return loop == null ? Long.MIN_VALUE : loop.lastIndex();
    }

    @Override
    public Map<String, Object> metadata() {
        SendLoop loop = pieces;
        Map<String, Object> metadata = new HashMap<>(loop == null ? Map.of() : loop.metadata());
        metadata.remove(ThreadCpuTime.METADATA_NAME); // counts the last transfer only
        if (cpuNs != ThreadCpuTime.UNKNOWN) {
            metadata.put(ThreadCpuTime.METADATA_NAME, cpuNs);
        }
        if (recorder.initialWindow() >= 0) {
            metadata.put("initialWindowSegments", recorder.initialWindow());
        }
        metadata.put(
                "connectionStates",
                recorder.hasStates() ? TransferRecorder.POLLING : "not recorded: the sockets are hidden");
        return metadata;
    }

    @Override
    public void stop() {
        stopped = true;
        SendLoop loop = pieces;
        if (loop != null) {
            loop.stop();
        }
    }

    @Override
    public void endSocketRecord() throws IOException {
        recorder.close();
    }

    @Override
    public void endChunkRecording() throws IOException {
        connections.close();
    }

    @Override
    public void close() {
        stop();
        recorder.end();
        TransferSender open = sender;
        if (open != null) {
            open.close();
        }
        try {
            try {
                endSocketRecord();
            } finally {
                endChunkRecording();
            }
        } catch (IOException e) {
            // ignored: a complete run has called both methods, which report the failures
        }
    }
}
