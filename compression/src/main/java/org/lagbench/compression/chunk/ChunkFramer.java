package org.lagbench.compression.chunk;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.model.Codecs;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.StreamFramer;

/**
 * Cuts a stream into chunks, decodes and verifies each, and records it. Chunks completed by the same receive call have
 * the same stamp. Allocates only at creation and with the first chunk of a codec; see {@link ChunkDecoder}. One thread
 * calls all methods except {@link #close}, which another thread may call afterwards.
 */
public final class ChunkFramer extends StreamFramer {
    private final ChunkCapture capture;
    private final ChunkDecoder decoder;
    private final CRC32C all = new CRC32C();
    private final long[] record = new long[ChunkCapture.RECEIVER_FIELDS.size()];

    /**
     * Creates a framer for the connections of a run.
     *
     * @param rawBytes size of each chunk before it was encoded
     * @param transferChunks number of chunks in each transfer
     * @param receivedBytes receives the bytes of each receive call
     * @param capture the capture of the chunks; {@link #close} closes it
     */
    public ChunkFramer(
            int rawBytes, long transferChunks, @Nullable ReceiverCapture receivedBytes, ChunkCapture capture) {
        super(ChunkLayout.HEADER_BYTES + rawBytes, ByteBuffer::allocateDirect, transferChunks, receivedBytes);
        this.capture = capture;
        this.decoder = new ChunkDecoder(Codecs.load(), rawBytes);
    }

    @Override
    protected int check(ByteBuffer buffer, int offset, int available, PacketAccounting accounting)
            throws ProtocolException {
        if (available < ChunkLayout.HEADER_BYTES) {
            return 0;
        }
        if (!accounting.isOfRun(buffer, offset)) {
            accounting.reject(buffer, offset);
            throw corrupt("the next does not begin with the run's tag and a number of the run", null);
        }
        try {
            int chunkBytes = decoder.check(buffer, offset);
            return available < chunkBytes ? 0 : chunkBytes;
        } catch (ProtocolException e) {
            throw corrupt("the next cannot be read: " + IoErrors.reason(e), e);
        }
    }

    @Override
    protected void receive(ByteBuffer buffer, int offset, PacketAccounting accounting, long receivedNs)
            throws IOException {
        decode(buffer, offset, PacketLayout.sequence(buffer, offset), receivedNs);
        accounting.packet(buffer, offset, receivedNs, PacketAccounting.NO_STAMP);
    }

    private void decode(ByteBuffer buffer, int offset, long sequence, long receivedNs) throws IOException {
        long beginNs = RealtimeClock.nowNs();
        ByteBuffer raw;
        try {
            raw = decoder.decode(buffer, offset);
        } catch (ProtocolException e) {
            throw corrupt("the next is damaged: " + IoErrors.reason(e), e);
        }
        long endNs = RealtimeClock.nowNs();
        if (sequence >= 0) {
            all.update(raw);
        }
        record[0] = sequence;
        record[1] = receivedNs;
        record[2] = beginNs;
        record[3] = endNs;
        capture.append(record);
    }

    private ProtocolException corrupt(String how, @Nullable Exception cause) {
        ProtocolException corrupt = new ProtocolException(
                "The stream from the sender is corrupt: after " + packets() + " chunks " + how + ".");
        if (cause != null) {
            corrupt.initCause(cause);
        }
        return corrupt;
    }

    @Override
    public void putMetadata(Map<String, Object> into) {
        super.putMetadata(into);
        into.put(ChunkEncoder.CHECKSUM, Long.toHexString(all.getValue()));
    }

    @Override
    public void close() throws IOException {
        decoder.close();
        capture.close();
    }
}
