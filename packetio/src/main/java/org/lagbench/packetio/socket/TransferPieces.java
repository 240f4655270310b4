package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.Transfers;

/**
 * Records the bytes that a receiver of transfers gets by each call, and cuts them into pieces, which are the packets of
 * the run. Pieces that one call completed share its stamp. One thread calls all methods. Only creating it allocates.
 */
public final class TransferPieces implements StreamFramer {
    /** A piece of which fewer bytes were received does not yet have its sequence number. */
    private static final int IDENTITY_BYTES = 2 * Long.BYTES;

    private final Transfers transfers;
    private final StreamPackets packets;
    private long transferBytes;
    private long last = -1;
    private long unrecordedCalls;
    private boolean isComplete;

    /** Creates an object for the connections of a run. */
    public TransferPieces(SideConfig run, Transfers transfers) {
        this.transfers = transfers;
        this.packets = new StreamPackets(run, "sender", this::arrive);
    }

    @Override
    public int bufferBytes() {
        return packets.bufferBytes();
    }

    @Override
    public void begin(ByteBuffer buffer) {
        transferBytes = buffer.position();
    }

    @Override
    public int frame(ByteBuffer buffer, int bytes, PacketAccounting accounting, long receivedNs) throws IOException {
        transferBytes += bytes;
        if (buffer.position() >= IDENTITY_BYTES) {
            long transfer = Math.floorDiv(PacketLayout.sequence(buffer, 0), transfers.pieces());
            unrecordedCalls += transfers.bytes().append(transfer, transferBytes, receivedNs) ? 0 : 1;
        }
        int framed = packets.frame(buffer, bytes, accounting, receivedNs);
        isComplete = framed > 0 && Math.floorMod(last + 1, transfers.pieces()) == 0;
        if (isComplete) {
            transferBytes = 0;
        }
        return framed;
    }

    @Override
    public boolean hasCompletedTransfer() {
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
}
