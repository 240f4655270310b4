package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferFramer;

/**
 * Records the bytes that a receiver of transfers gets by each call, and cuts them into pieces, which are the packets of
 * the run. Pieces that one call completed share its stamp. One thread calls all methods. Only creating it allocates.
 */
public final class TransferPieces implements TransferFramer {
    private static final int MINIMUM_READ_BYTES = 1 << 16;

    /** A piece of which fewer bytes were received does not yet have its sequence number. */
    private static final int IDENTITY_BYTES = 2 * Long.BYTES;

    private final SideConfig run;
    private final long pieces;
    private final ReceivedBytesCapture capture;
    private final StreamPackets packets;
    private long transferBytes;
    private long last = -1;
    private long unrecordedCalls;

    /**
     * Creates an object for the connections of a run.
     *
     * @param pieces number of packets in each transfer
     * @param capture receives the bytes of each call; the caller closes it
     */
    public TransferPieces(SideConfig run, long pieces, ReceivedBytesCapture capture) {
        this.run = run;
        this.pieces = pieces;
        this.capture = capture;
        this.packets = new StreamPackets(run, "sender", this::arrive);
    }

    @Override
    public int bufferBytes() {
        return bufferBytes(run);
    }

    /** Returns the size of a buffer for {@link #frame} in bytes. */
    public static int bufferBytes(SideConfig run) {
        return Math.max(MINIMUM_READ_BYTES, run.packetBytes());
    }

    @Override
    public void begin(ByteBuffer buffer) {
        transferBytes = buffer.position();
    }

    @Override
    public boolean frame(ByteBuffer buffer, int bytes, PacketAccounting accounting, long receivedNs)
            throws IOException {
        transferBytes += bytes;
        if (buffer.position() >= IDENTITY_BYTES) {
            long transfer = Math.floorDiv(PacketLayout.sequence(buffer, 0), pieces);
            unrecordedCalls += capture.append(transfer, transferBytes, receivedNs) ? 0 : 1;
        }
        boolean isComplete = packets.frame(buffer, accounting, receivedNs, PacketAccounting.NO_STAMP) > 0
                && Math.floorMod(last + 1, pieces) == 0;
        if (isComplete) {
            transferBytes = 0;
        }
        return isComplete;
    }

    private long arrive(ByteBuffer buffer, int offset, long mediumStamp) {
        last = PacketLayout.sequence(buffer, offset);
        return mediumStamp;
    }

    /** Adds the number of calls that the capture had no room for. */
    @Override
    public void putMetadata(Map<String, Object> into) {
        into.put("receiveCallsWithoutRoom", unrecordedCalls);
    }

    /** Does nothing: the caller closes the capture. */
    @Override
    public void close() {}
}
