package org.lagbench.packetio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** Cuts the stream of a connection into the pieces of transfers. One thread calls all methods. */
public interface TransferFramer extends AutoCloseable {
    /** Returns the size of a buffer for {@link #frame} in bytes. */
    int bufferBytes();

    /**
     * Begins a connection.
     *
     * @param buffer the connection's buffer, with the bytes already received
     */
    void begin(ByteBuffer buffer);

    /**
     * Records the bytes of a receive call and counts the complete pieces. Then moves the bytes of the incomplete piece
     * to the beginning of the buffer.
     *
     * @param buffer has the bytes up to its position, the new ones included
     * @param bytes number of the new ones
     * @return whether the last piece of a transfer was received, so that an answer is due
     * @throws java.net.ProtocolException if the stream contains anything but pieces of the run; the message is a
     *     sentence
     */
    boolean frame(ByteBuffer buffer, int bytes, PacketAccounting accounting, long receivedNs) throws IOException;

    /** Adds metadata written to run.json. */
    void putMetadata(Map<String, Object> into);

    /** Closes what this has created. Called after the last {@link #frame}, by the same thread. */
    @Override
    void close() throws IOException;
}
