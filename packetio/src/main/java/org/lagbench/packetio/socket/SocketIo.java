package org.lagbench.packetio.socket;

import java.io.IOException;

/**
 * The I/O of one socket. One thread sends or receives; any thread may close, more than once, which ends a blocked call.
 * Only opening allocates.
 */
public interface SocketIo extends AutoCloseable {
    /** Returned by {@link #receive} when nothing more can be received. */
    int END = -1;

    /** Returned by {@link #drops} if the platform does not count. */
    long UNKNOWN = -1;

    /**
     * Sends the prepared packets of a batch and writes the stamps of the calls; waits while the send buffer is full.
     *
     * @return number of packets that the kernel took completely, 1 or more
     * @throws java.net.PortUnreachableException if no socket receives the datagrams
     * @throws java.net.SocketException if the peer has ended the connection; the message is the system's
     * @throws java.nio.channels.ClosedChannelException if this was closed
     */
    int send(SendBatch packets) throws IOException;

    /**
     * Waits for datagrams, or for bytes of a stream, and takes those available, up to the batch's capacity.
     *
     * @return number of datagrams, 1 for a stream, or {@link #END} at the end of a stream or once closed
     */
    int receive(ReceiveBatch into) throws IOException;

    /** Returns how many datagrams the kernel dropped at the socket since it was bound, or {@link #UNKNOWN}. */
    long drops();

    /** Releases all resources except the channel, which its owner closes. */
    @Override
    void close();
}
