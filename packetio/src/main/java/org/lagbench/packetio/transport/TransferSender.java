package org.lagbench.packetio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The sending side of one connection for transfers. A transfer is a block of packets, called its pieces; the receiver
 * answers with {@value #REPLY_BYTES} bytes once it has received all of them. One thread calls all methods except
 * {@link #readState} and {@link #close()}, which any thread may call.
 */
public interface TransferSender extends PacketSender {
    /** The size of a reply in bytes, as in the Network Weather Service for Java (Krintz and Wolski 2001). */
    int REPLY_BYTES = 2;

    /** Returns when the connection was being opened, just before the call, CLOCK_REALTIME in ns; −1 if it is hidden. */
    default long connectStartNs() {
        return -1;
    }

    /** Returns when the connection was established, just after the call, CLOCK_REALTIME in ns; −1 if it is hidden. */
    default long connectedNs() {
        return -1;
    }

    /**
     * Sends a piece that is a chunk, of any size, by one call, with the time just before it as the piece's sent stamp.
     * Blocks while the send buffer is full. Allocates nothing.
     *
     * @param piece a direct buffer with the piece up to its limit, the packet's header first; changes its position
     * @param skippedBytes number of its first bytes that were already sent, at most the size of the tag
     * @param stamps receives from index {@code from} CLOCK_REALTIME in ns just before and just after the call
     */
    default void sendPiece(ByteBuffer piece, int skippedBytes, long[] stamps, int from) throws IOException {
        throw new UnsupportedOperationException("this sender sends no chunks");
    }

    /**
     * Waits for the reply to a transfer whose pieces were all sent.
     *
     * @return when the reply was read, just after the call, CLOCK_REALTIME in ns
     * @throws IOException if the receiver ended the connection instead, or this was closed
     */
    long awaitReply() throws IOException;

    /**
     * Ends the connection and waits until the receiver has read everything and ended it too. Skips replies for which
     * nobody has waited.
     */
    void finish() throws IOException;

    /**
     * Reads the current state of the connection; unknown values are −1. Allocates nothing.
     *
     * @param values receives from index {@code from} the fields of {@code tcp_state.h}, in its order
     * @return false if this machine or JVM does not report it, or an interface hides the socket
     */
    default boolean readState(long[] values, int from) throws IOException {
        return false;
    }
}
