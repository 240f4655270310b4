package org.lagbench.packetio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The sending side of one connection for transfers whose pieces may be chunks, which differ in size. */
public interface PieceSender extends TransferSender {
    /**
     * Sends a piece by one call, with the time just before it as the piece's sent stamp. Blocks while the send buffer
     * is full. Allocates nothing.
     *
     * @param piece a direct buffer with the piece up to its limit, the packet's header first; changes its position
     * @param skippedBytes number of its first bytes that were already sent, at most the size of the tag
     * @param stamps receives from index {@code from} CLOCK_REALTIME in ns just before and just after the call
     */
    void sendPiece(ByteBuffer piece, int skippedBytes, long[] stamps, int from) throws IOException;
}
