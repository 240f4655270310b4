package org.lagbench.compression.chunk;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Compresses, sends and records the chunks of a run. One thread calls all methods except {@link #close}, which any
 * thread may call. Only its creation allocates.
 */
public final class ChunkEncoder implements AutoCloseable {
    /** The key of the checksum of the raw bytes of all recorded chunks. */
    static final String CHECKSUM = "chunksCrc32c";

    private final CompressionSpec compression;
    private final long chunksOfTransfer;
    private final ChunkCompressor compressor;
    private final EncodedChunk own;
    private final @Nullable CompressionThread thread;
    private final ChunkCapture capture;
    private long checksum;

    // Guarded by this, so that nothing is closed while the sending thread uses it.
    private boolean closed;

    private ChunkEncoder(
            CompressionSpec compression,
            long chunksOfTransfer,
            ChunkCompressor compressor,
            EncodedChunk own,
            @Nullable CompressionThread thread,
            ChunkCapture capture) {
        this.compression = compression;
        this.chunksOfTransfer = chunksOfTransfer;
        this.compressor = compressor;
        this.own = own;
        this.thread = thread;
        this.capture = capture;
    }

    /** Opens the encoder of a sending side, and creates the capture of chunks next to the sender's capture. */
    public static ChunkEncoder open(SideConfig config, CompressionSpec compression) throws LagbenchException {
        return open(config, compression, ChunkChooser.of(compression, Codecs.load()));
    }

    static ChunkEncoder open(SideConfig config, CompressionSpec compression, ChunkChooser chooser)
            throws LagbenchException {
        int chunkBytes = config.packetBytes();
        long chunks = config.pieces();
        AutoCloseable opened = chooser;
        try {
            ChunkData data = ChunkData.of(compression, chunks, chunkBytes);
            ChunkCompressor compressor = new ChunkCompressor(config.tag(), chunkBytes, data, chooser);
            opened = compressor;
            boolean hasThread = chooser.mayUseThread() && Runtime.getRuntime().availableProcessors() > 1;
            CompressionThread thread = hasThread ? new CompressionThread(compressor, chunkBytes) : null;
            return new ChunkEncoder(
                    compression, chunks, compressor, compressor.newChunk(), thread, createCapture(config));
        } catch (LagbenchException | RuntimeException | Error e) {
            try {
                opened.close();
            } catch (Exception suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static ChunkCapture createCapture(SideConfig config) throws LagbenchException {
        return IoErrors.explained(
                "The capture of chunks cannot be created",
                () -> ChunkCapture.ofSender(config.captureFile(), config.point().packets()));
    }

    /**
     * Checks that the codecs can be chosen.
     *
     * @throws LagbenchException if the policy needs the state of the connection, and it cannot be read
     */
    void check(TransferSender connection) throws IOException, LagbenchException {
        if (compression.policy().isPresent() && !compressor.canReadState(connection)) {
            LagbenchException reason = LinuxSockets.unavailableReason();
            throw ExitCode.UNAVAILABLE.failure(
                    "codec: " + compression.codec() + " needs the state of the TCP connection. "
                            + (reason == null ? "This kernel does not report it." : reason.sentence())
                            + " Or name one codec, such as zstd-3.",
                    reason);
        }
    }

    /**
     * Begins a connection.
     *
     * @param prefixBytes bytes already sent over the connection
     * @throws ClosedChannelException if closed
     */
    synchronized void begin(int prefixBytes) throws IOException {
        throwIfClosed();
        if (thread != null) {
            thread.cancel();
        }
        compressor.begin(prefixBytes);
    }

    /**
     * Compresses a chunk and sends it.
     *
     * @param skippedBytes bytes at the beginning of the chunk that were already sent
     * @param stamps receives the times just before and just after the call that sends the chunk, CLOCK_REALTIME in ns
     * @throws ClosedChannelException if closed
     */
    synchronized void send(long sequence, TransferSender connection, int skippedBytes, long[] stamps)
            throws IOException {
        throwIfClosed();
        EncodedChunk ahead = thread == null ? null : thread.take(sequence);
        EncodedChunk chunk = ahead == null ? own : ahead;
        if (ahead == null) {
            compressor.compress(sequence, connection, skippedBytes, own);
            if (thread != null && compressor.isWorthThread()) {
                thread.begin(sequence + 1, endOfTransfer(sequence), connection);
            }
        }
        chunk.send(connection, skippedBytes);
        stamps[0] = chunk.sendBeginNs();
        stamps[1] = chunk.sendEndNs();
        compressor.wrote(stamps[1] - stamps[0]);
        checksum = chunk.checksumOfAll();
        chunk.record(capture);
        if (ahead != null && thread != null) {
            thread.release(sequence);
        }
    }

    private void throwIfClosed() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    /** Returns the number after the last chunk of a chunk's transfer. Chunks of the warm-up have negative numbers. */
    private long endOfTransfer(long sequence) {
        return (Math.floorDiv(sequence, chunksOfTransfer) + 1) * chunksOfTransfer;
    }

    /** Returns the checksum of the raw bytes of the recorded chunks that were sent, for {@code run.json}. */
    public Map<String, Object> metadata() {
        return Map.of(CHECKSUM, Long.toHexString(checksum));
    }

    /**
     * Waits for the end of {@link #send}, and releases all resources. May be called more than once. The connection must
     * be closed before: otherwise it may block {@code send} forever.
     */
    @Override
    public void close() throws IOException {
        if (thread != null) {
            thread.close(); // outside of the synchronized block: closing ends a send that waits for the thread
        }
        synchronized (this) {
            if (!closed) {
                closed = true;
                try (capture) {
                    compressor.close();
                }
            }
        }
    }
}
