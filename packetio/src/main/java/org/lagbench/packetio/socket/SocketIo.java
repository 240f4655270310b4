package org.lagbench.packetio.socket;

import java.io.IOException;

/**
 * Moves packets between this process and the kernel's buffers of one socket. One thread sends or receives; any thread
 * may close, once or more, which ends a call that waits. Only opening allocates.
 */
public interface SocketIo extends AutoCloseable {
    /** Returned by {@link #receive} when nothing more will come. */
    int END = -1;

    /** Returned by {@link #drops} where the platform does not tell. */
    long UNKNOWN = -1;

    /**
     * Sends the packets of a batch that are made and not yet sent, with the stamps of the calls; waits while the send
     * buffer is full.
     *
     * @return how many the kernel took, each whole, 1 or more
     * @throws java.net.PortUnreachableException if nobody receives the datagrams
     * @throws java.net.SocketException if the peer has ended the connection: the system's own words
     * @throws java.nio.channels.ClosedChannelException if this is or was closed meanwhile
     */
    int send(SendBatch packets) throws IOException;

    /**
     * Waits for datagrams, or for bytes of a stream, and takes those that are there and there is room for.
     *
     * @return how many datagrams, 1 of a stream, or {@link #END} at the end of a stream or once closed
     */
    int receive(ReceiveBatch into) throws IOException;

    /** How many datagrams the kernel dropped at the socket since it was bound, or {@link #UNKNOWN}. */
    long drops();

    /** Releases what was opened. The channel is its owner's to close. */
    @Override
    void close();
}
