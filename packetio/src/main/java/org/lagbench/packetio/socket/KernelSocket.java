package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A socket as the kernel sees it. One thread calls its methods; any thread may ask for {@link #drops} until it is
 * closed, and any may {@link #close} it, which gives back what this took of the kernel, but is the socket's end only
 * when its channel is closed as well. Only what says so allocates.
 */
public interface KernelSocket extends AutoCloseable {
    /** Returned by {@link #receive} when nothing will come any more. */
    int END = -1;

    /** 64-bit numbers that a stamp of {@link #takeTransmitStamps} has. */
    int STAMP_VALUES = 3;

    /** Numbers that {@link #readOccupancy} gives. */
    int OCCUPANCY_VALUES = 7;

    /**
     * Has all that the socket sends from now on stamped: when it entered the queueing discipline, when the driver took
     * it, when a TCP peer acknowledged it, and by a network card that was told to. The first packet's key is 0 for UDP
     * and the next ones count on; TCP's keys are the offset of the last byte of a write in the stream from now on; both
     * modulo 2³².
     */
    void enableTransmitStamps() throws IOException;

    /**
     * Takes the transmit stamps that are there and does not wait for more.
     *
     * @param stamps direct, in native byte order; gets stage, key and CLOCK_REALTIME in ns of each from its beginning
     *     on
     * @return how many
     */
    int takeTransmitStamps(ByteBuffer stamps) throws IOException;

    /**
     * Has all that the socket receives from now on stamped as it comes in from the driver, for {@link #receiveStampNs}.
     */
    void enableReceiveStamps() throws IOException;

    /**
     * Waits for bytes or a datagram and puts no more than remain into the buffer, which is direct.
     *
     * @return how many bytes, or {@link #END} at the end of a stream or once closed
     * @throws java.net.SocketException if the peer has broken off the connection: the system's own words
     */
    int receive(ByteBuffer buffer) throws IOException;

    /** When the call of the last {@link #receive} had just returned, CLOCK_REALTIME in ns. */
    long receivedNs();

    /** The kernel's stamp of what {@link #receive} gave last, CLOCK_REALTIME in ns; 0 if it has none. */
    long receiveStampNs();

    /**
     * Sends the packets that are made and not yet sent over a connection, each by a call of its own, with the stamps of
     * the calls; waits while the send buffer is full.
     *
     * @param bytesAhead how many bytes of the first one's beginning were sent before, no more than its tag has
     * @return how many went, all of each, 1 or more
     * @throws java.net.SocketException if the peer has ended the connection: the system's own words
     * @throws java.nio.channels.ClosedChannelException if this is or was closed meanwhile
     */
    int sendStream(SendBatch packets, int bytesAhead) throws IOException;

    /**
     * Sends the packets that are made and not yet sent as datagrams, with the stamps of the calls: all by one, or each
     * by its own, as they say; waits while the send buffer is full.
     *
     * @return how many the kernel took, 1 or more
     * @throws java.net.PortUnreachableException if nobody receives there
     * @throws java.nio.channels.ClosedChannelException if this is or was closed meanwhile
     */
    int sendDatagrams(SendBatch packets) throws IOException;

    /**
     * Takes datagrams that are there and there is room for, and waits for one if there is none: all by one system call,
     * or each by its own, as {@code into} says. If this is closed meanwhile, those that had come by calls of their own
     * are given, and those of one call are not.
     *
     * @param busyPollNs how long it waits without sleeping before it sleeps, in ns; 0 to sleep at once
     * @return how many, 1 or more, or {@link #END} once closed
     */
    int receiveDatagrams(ReceiveBatch into, long busyPollNs) throws IOException;

    /**
     * Has each later {@link #sendDatagrams} pass the packets as one buffer, which is cut into datagrams (UDP_SEGMENT).
     *
     * @throws IOException if the kernel cannot: the message says what to do
     */
    void enableSendOffload(int packetBytes) throws IOException;

    /**
     * Allows the kernel to join received datagrams (UDP_GRO); {@link #receiveDatagrams} is then given room for them.
     *
     * @throws IOException if the kernel cannot: the message says what to do
     */
    void enableReceiveOffload() throws IOException;

    /**
     * How full the socket's buffers are: bytes in the send buffer; of them not yet sent; sent and not acknowledged;
     * bytes in the receive buffer; then, in µs since the connection began, how long there was something to send, and
     * how long of that the receiver's window and how long the send buffer's size held it up. −1 for what is not known.
     *
     * @param values gets these {@value #OCCUPANCY_VALUES}
     */
    void readOccupancy(long[] values) throws IOException;

    /**
     * How many datagrams the kernel dropped since the socket was made, modulo 2³²: they found its receive buffer full,
     * or (rarer) had a wrong checksum. What receives does not wait for it.
     */
    long drops() throws IOException;

    /** The TCP congestion control in use. Allocates. */
    String congestionControl() throws IOException;

    /**
     * Chooses the TCP congestion control. Allocates.
     *
     * @throws IOException if the kernel does not have it or does not let this user: the message says what to do
     */
    void chooseCongestionControl(String name) throws IOException;

    @Override
    void close();
}
