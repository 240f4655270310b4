package org.lagbench.packetio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** Cuts the stream of a connection into packets, or into the pieces of transfers. One thread calls all methods. */
public interface StreamFramer extends AutoCloseable {
    /** Returns the size of a buffer for {@link #frame} in bytes. */
    int bufferBytes();

    /**
     * Begins a connection.
     *
     * @param buffer the connection's buffer, with the bytes already received
     */
    default void begin(ByteBuffer buffer) {}

    /**
     * Records the bytes of a receive call and counts the complete packets. Then moves the bytes of the incomplete one
     * to the beginning of the buffer.
     *
     * @param buffer has the bytes up to its position, the new ones included
     * @param bytes number of the new ones
     * @return the number of packets
     * @throws java.net.ProtocolException if the stream contains anything but packets of the run; the message is a
     *     sentence
     */
    int frame(ByteBuffer buffer, int bytes, PacketAccounting accounting, long receivedNs) throws IOException;

    /** Returns whether the last {@link #frame} completed a transfer, so that an answer is due. */
    default boolean hasCompletedTransfer() {
        return false;
    }

    /** Adds metadata written to run.json. */
    default void putMetadata(Map<String, Object> into) {}

    /** Closes what this has created. Called after the last {@link #frame}, by the same thread. */
    @Override
    default void close() throws IOException {}
}
