package org.lagbench.compression.chunk;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.model.Codecs;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.Transfers;

/**
 * Cuts a stream into chunks, decodes and verifies each, and records it. Chunks completed by the same receive call have
 * the same stamp. Allocates only at creation and with the first chunk of a codec; see {@link ChunkDecoder}. One thread
 * calls all methods except {@link #close}, which another thread may call afterwards.
 */
public final class ChunkFramer implements StreamFramer {
    private static final int MINIMUM_READ_BYTES = 1 << 16;

    private final int rawBytes;
    private final Transfers transfers;
    private final ChunkCapture capture;
    private final ChunkDecoder decoder;
    private final CRC32C all = new CRC32C();
    private final long[] record = new long[ChunkCapture.RECEIVER_FIELDS.size()];
    private long transferBytes;
    private long transfer = -1;
    private long chunks;
    private long unrecordedCalls;
    private boolean isComplete;

    /**
     * Creates a framer for the connections of a run.
     *
     * @param rawBytes size of each chunk before it was encoded
     * @param transfers their pieces are the chunks
     * @param capture the capture of the chunks; {@link #close} closes it
     */
    public ChunkFramer(int rawBytes, Transfers transfers, ChunkCapture capture) {
        this.rawBytes = rawBytes;
        this.transfers = transfers;
        this.capture = capture;
        this.decoder = new ChunkDecoder(Codecs.load(), rawBytes);
    }

    @Override
    public int bufferBytes() {
        return Math.max(MINIMUM_READ_BYTES, ChunkLayout.HEADER_BYTES + rawBytes);
    }

    @Override
    public void begin(ByteBuffer buffer) {
        transferBytes = buffer.position();
    }

    @Override
    public int frame(ByteBuffer buffer, int received, PacketAccounting accounting, long receivedNs) throws IOException {
        transferBytes += received;
        int end = buffer.position();
        int offset = 0;
        long before = chunks;
        isComplete = false;
        if (end >= PacketLayout.HEADER_BYTES) {
            transfer = Math.floorDiv(PacketLayout.sequence(buffer, 0), transfers.pieces());
            unrecordedCalls += transfers.bytes().append(transfer, transferBytes, receivedNs) ? 0 : 1;
        }
        while (end - offset >= ChunkLayout.HEADER_BYTES) {
            int chunkBytes = check(buffer, offset, accounting);
            if (end - offset < chunkBytes) {
                break;
            }
            long sequence = PacketLayout.sequence(buffer, offset);
            decode(buffer, offset, sequence, receivedNs);
            accounting.packet(buffer, offset, receivedNs, PacketAccounting.NO_STAMP);
            chunks++;
            isComplete |= Math.floorMod(sequence + 1, transfers.pieces()) == 0;
            offset += chunkBytes;
        }
        if (offset > 0) {
            buffer.limit(end).position(offset);
            buffer.compact();
        }
        if (isComplete) {
            transferBytes = 0;
        }
        return (int) (chunks - before);
    }

    @Override
    public boolean hasCompletedTransfer() {
        return isComplete;
    }

    private int check(ByteBuffer buffer, int offset, PacketAccounting accounting) throws ProtocolException {
        if (!accounting.isOfRun(buffer, offset)) {
            accounting.countForeign();
            throw corrupt("the next does not begin with the run's tag and a number of the run", null);
        }
        try {
            return decoder.check(buffer, offset);
        } catch (ProtocolException e) {
            throw corrupt("the next cannot be read: " + e.getMessage(), e);
        }
    }

    private void decode(ByteBuffer buffer, int offset, long sequence, long receivedNs) throws IOException {
        long beginNs = RealtimeClock.nowNs();
        ByteBuffer raw;
        try {
            raw = decoder.decode(buffer, offset);
        } catch (ProtocolException e) {
            throw corrupt("the next is damaged: " + e.getMessage(), e);
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
                "The stream from the sender is corrupt: after " + chunks + " chunks " + how + ".");
        if (cause != null) {
            corrupt.initCause(cause);
        }
        return corrupt;
    }

    @Override
    public void putMetadata(Map<String, Object> into) {
        into.put("receiveCallsWithoutRoom", unrecordedCalls);
        into.put(ChunkEncoder.CHECKSUM, Long.toHexString(all.getValue()));
    }

    @Override
    public void close() throws IOException {
        decoder.close();
        capture.close();
    }
}
