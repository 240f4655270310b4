package org.lagbench.packetio.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.PacketError;

/**
 * The I/O of one socket. One thread sends, receives and replies; any thread may close, more than once, which ends a
 * blocked call. Only opening allocates.
 */
public interface SocketIo extends AutoCloseable {
    /** Returned by {@link #receive} when nothing more can be received. */
    int END = -1;

    /** Returned if the platform does not report a number. */
    long UNKNOWN = -1;

    /**
     * Sends the prepared packets of a batch and writes the stamps of the calls; waits while the send buffer is full.
     * Counts a datagram with a {@link PacketError}, and goes on.
     *
     * @return number of packets that the kernel accepted completely, or that were counted as failed; 1 or more
     * @throws java.net.SocketException if the peer has ended the connection; the message is the system's
     * @throws java.nio.channels.ClosedChannelException if this was closed
     */
    int send(SendBatch packets) throws IOException;

    /**
     * Waits for datagrams, or for bytes of a stream, and receives the available ones, up to the batch's capacity.
     *
     * @return number of datagrams, 1 for a stream, or {@link #END} at the end of a stream or once closed
     */
    int receive(ReceiveBatch into) throws IOException;

    /**
     * Limits how long {@link #receive} waits for datagrams; it then returns 0.
     *
     * @param timeoutNs the limit in ns; the kernel may round it up by some ms
     */
    void limitReceive(long timeoutNs) throws IOException;

    /**
     * Waits at an unconnected datagram socket for a packet of the run, so that {@link #reply} sends to the packet's
     * source; the packet remains queued. Discards the first datagram if it is foreign.
     *
     * @param tag the run's tag
     * @param onlyHost see {@link SideConfig#replyTo}
     * @return whether the packet has arrived; false after a foreign datagram
     * @throws java.nio.channels.ClosedChannelException if this was closed
     */
    boolean awaitSender(long tag, int packetBytes, @Nullable InetAddress onlyHost) throws IOException;

    /**
     * Sends a packet of any size over a stream, with the time just before the call as its sent stamp; waits while the
     * send buffer is full.
     *
     * @param packet direct; has the packet up to its limit, and changes its position
     * @param prefixBytesSent number of its first bytes that were already sent, at most the size of its tag
     * @param stamps receives from index {@code from} CLOCK_REALTIME in ns just before and just after the call
     */
    void sendPacket(ByteBuffer packet, int prefixBytesSent, long[] stamps, int from) throws IOException;

    /**
     * Sends a received packet back, with the current time as its sent stamp; waits while the send buffer is full.
     *
     * @param packets direct; keeps its position and limit
     * @return the time just before the call, CLOCK_REALTIME in ns
     */
    long reply(ByteBuffer packets, int offset, int packetBytes) throws IOException;

    /** Returns how many datagrams the kernel dropped at the socket since it was bound, or {@link #UNKNOWN}. */
    long drops();

    /** Adds the errors of datagrams that occurred so far to counts. */
    void addErrors(PacketErrorCounts into);

    /** Releases all resources except the channel, which its owner closes. */
    @Override
    void close();
}
