package org.lagbench.packetio.linux;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A Linux socket through a separate file descriptor, which remains valid when the channel is closed. One thread calls
 * the methods; any thread may call {@link #drops} until closed, and {@link #close}. Closing releases the file
 * descriptor; the socket ends when its channel is closed as well. Methods allocate only where stated.
 *
 * <p>The C code synchronizes blocking calls with a close ({@code descriptor.h}): no call ever uses a file descriptor
 * that was assigned to another socket meanwhile.
 */
public final class LinuxSocket implements AutoCloseable {
    /** Returned by receiving calls when nothing more can be received. */
    public static final int END = -1;

    /** Number of 64-bit values in a stamp of {@link #takeTransmitStamps}. */
    public static final int STAMP_VALUES = 3;

    /** Number of values of {@link #readOccupancy}. */
    public static final int OCCUPANCY_VALUES = 7;

    /** Number of values of {@link #readRetransmissions}. */
    public static final int RETRANSMISSIONS_VALUES = 8;

    /** Number of values of {@link #readTcpState}. */
    public static final int TCP_STATE_VALUES = 22;

    /** Returned by {@link #drops} if the kernel does not count dropped datagrams. */
    public static final long UNKNOWN = -1;

    private static final int NAME_BYTES = 16;
    private final int fd;
    private final boolean isStream;

    /** Memory of {@link #descriptor}; the reference keeps it allocated. */
    private final ByteBuffer descriptorMemory = numbers(NativeSocket.DESCRIPTOR_LONGS);

    /** The address of the {@code struct descriptor} for calls that a close may end. */
    private final long descriptor = NativeSocket.address(descriptorMemory);

    private final ByteBuffer occupancy = numbers(OCCUPANCY_VALUES);
    private final ByteBuffer retransmissions = numbers(RETRANSMISSIONS_VALUES);
    private final ByteBuffer tcpState = numbers(TCP_STATE_VALUES);
    private final long tcpStateAddress = NativeSocket.address(tcpState);
    private int writes = 1;
    private boolean receiveStamps;
    private boolean sendOffload;
    private boolean receiveOffload;

    private final Address outgoing = new Address();
    private final Address incoming = new Address();
    private final Address metadata = new Address();
    private final Address stampsOfCall = new Address();
    private boolean closed;

    LinuxSocket(int fd, boolean isStream) {
        this.fd = fd;
        this.isStream = isStream;
        NativeSocket.makeDescriptor(descriptor, fd);
    }

    private static ByteBuffer numbers(int count) {
        return ByteBuffer.allocateDirect(count * Long.BYTES).order(ByteOrder.nativeOrder());
    }

    /** Makes {@link #sendEach} send each packet of a stream in parts of about the same size, by this many calls. */
    public void splitPackets(int calls) {
        writes = calls;
    }

    /** Limits how long calls wait for data (SO_RCVTIMEO), which the kernel rounds up by some ms. */
    public void limitReceive(long timeoutNs) throws IOException {
        SocketErrors.check("limit the time to wait for data", NativeSocket.limitReceive(fd, timeoutNs));
    }

    /**
     * Waits for a datagram of a size that begins with the run's tag, and connects the socket to its source. Discards
     * the first datagram if it is foreign.
     *
     * @return whether it has arrived; it can then be received
     * @throws ClosedChannelException if this was closed
     */
    public boolean awaitSender(long tag, int packetBytes) throws IOException {
        int result = NativeSocket.awaitSender(descriptor, tag, packetBytes);
        if (result == NativeSocket.ENDED) {
            throw new ClosedChannelException();
        }
        return SocketErrors.check("receive", result) > 0;
    }

    /** Returns whether this is a stream socket; otherwise it is a datagram socket. */
    public boolean isStream() {
        return isStream;
    }

    /**
     * Makes the kernel stamp all data sent from now on: when it enters the queueing discipline, when it reaches the
     * driver, when a TCP peer acknowledges it, and in hardware if the network card is set to. The key of the first UDP
     * packet is 0 and increases by 1; TCP's key is the stream offset of a write's last byte from now on; both modulo
     * 2³².
     */
    public void enableTransmitStamps() throws IOException {
        SocketErrors.check("enable stamps of sent packets", NativeSocket.enableTransmitStamps(fd, isStream));
    }

    /**
     * Takes the available transmit stamps without waiting.
     *
     * @param stamps direct, in native byte order; receives stage, key and CLOCK_REALTIME in ns of each from index 0
     * @return number of stamps
     */
    public int takeTransmitStamps(ByteBuffer stamps) throws IOException {
        return SocketErrors.check(
                "take stamps of sent packets",
                NativeSocket.takeTransmitStamps(fd, stamps, stamps.capacity() / (STAMP_VALUES * Long.BYTES)));
    }

    /** Makes the kernel stamp all data received from the driver from now on. */
    public void enableReceiveStamps() throws IOException {
        SocketErrors.check("enable stamps of received packets", NativeSocket.enableReceiveStamps(fd));
        receiveStamps = true;
    }

    /**
     * Waits for bytes of a stream, or a datagram, and writes at most {@code capacity} bytes into a direct buffer.
     *
     * @param stamps direct, in native byte order; receives at {@code stampsOffset} CLOCK_REALTIME in ns just after the
     *     call, and the kernel's stamp, 0 if there is none
     * @return number of bytes, or {@link #END} at the end of a stream or once closed
     * @throws SocketException if the peer has broken off the connection; the message is the system's
     */
    public int receiveBytes(ByteBuffer into, int offset, int capacity, ByteBuffer stamps, int stampsOffset)
            throws IOException {
        int count = NativeSocket.receiveBytes(
                descriptor, incoming.of(into) + offset, capacity, receiveStamps, metadata.of(stamps) + stampsOffset);
        if (count == NativeSocket.ENDED || (count == 0 && isStream)) {
            return END;
        }
        SocketErrors.checkConnection(count);
        return SocketErrors.check("receive", count);
    }

    /**
     * Enables UDP segmentation offload (UDP_SEGMENT): {@link #sendJoined} then passes the packets as one buffer, which
     * is split into datagrams.
     *
     * @throws IOException if the kernel does not support it; the message says what to do
     */
    public void enableSendOffload(int packetBytes) throws IOException {
        SocketErrors.checkOffload(NativeSocket.enableSendOffload(fd, packetBytes));
        sendOffload = true;
    }

    /**
     * Allows the kernel to join received datagrams (UDP_GRO); {@link #receiveDatagrams} then needs buffer space for
     * them.
     *
     * @throws IOException if the kernel does not support it; the message says what to do
     */
    public void enableReceiveOffload() throws IOException {
        SocketErrors.checkOffload(NativeSocket.enableReceiveOffload(fd));
        receiveOffload = true;
    }

    /**
     * Returns whether {@link #sendJoined} sends packets by one system call: over TCP, or with UDP segmentation offload.
     */
    public boolean joinsPackets() {
        return isStream || sendOffload;
    }

    /**
     * Sends consecutive packets of a buffer, each by its own system call; waits while the send buffer is full.
     *
     * @param prefixBytesSent number of bytes of the first packet that were already sent, at most the size of its tag
     * @param stamps receives CLOCK_REALTIME in ns just before and just after each call
     * @return number of packets that the kernel accepted completely, 1 or more
     * @throws PortUnreachableException if no socket receives the datagrams
     * @throws SocketException if the peer has ended the connection; the message is the system's
     * @throws ClosedChannelException if this was closed
     */
    public int sendEach(
            ByteBuffer packets, int offset, int packetBytes, int count, int prefixBytesSent, ByteBuffer stamps)
            throws IOException {
        return checkSent(
                NativeSocket.sendEach(
                        descriptor,
                        outgoing.of(packets) + offset,
                        packetBytes,
                        count,
                        prefixBytesSent,
                        writes,
                        stampsOfCall.of(stamps)),
                packetBytes);
    }

    /** Like {@link #sendEach}, but by one system call and as one buffer, if {@link #joinsPackets}. */
    public int sendJoined(
            ByteBuffer packets, int offset, int packetBytes, int count, int prefixBytesSent, ByteBuffer stamps)
            throws IOException {
        return checkSent(
                NativeSocket.sendJoined(
                        descriptor,
                        outgoing.of(packets) + offset,
                        packetBytes,
                        count,
                        prefixBytesSent,
                        stampsOfCall.of(stamps)),
                packetBytes);
    }

    /** Like {@link #sendEach}, but by one system call with a datagram for each packet. */
    public int sendDatagrams(ByteBuffer packets, int offset, int packetBytes, int count, ByteBuffer stamps)
            throws IOException {
        return checkSent(
                NativeSocket.sendDatagrams(
                        descriptor, outgoing.of(packets) + offset, packetBytes, count, stampsOfCall.of(stamps)),
                packetBytes);
    }

    private int checkSent(int sent, int packetBytes) throws IOException {
        return sent > 0 ? sent : SocketErrors.failSend(sent, packetBytes, sendOffload);
    }

    /**
     * Waits for a datagram, and receives the other available ones by the same system call, up to {@code capacity}.
     * Returns none if this socket is closed meanwhile.
     *
     * @param busyPollNs how long it polls before it sleeps, in ns; 0 to sleep at once
     * @param about receives what {@code ReceiveBatch.metadata} describes
     * @return number of datagrams, 0 after the time of {@link #limitReceive}, or {@link #END} once closed
     * @throws PortUnreachableException if the socket is connected and the peer's port is closed
     */
    public int receiveDatagrams(ByteBuffer into, int strideBytes, int capacity, long busyPollNs, ByteBuffer about)
            throws IOException {
        int count = NativeSocket.receiveDatagrams(
                descriptor,
                incoming.of(into),
                strideBytes,
                capacity,
                receiveOffload,
                receiveStamps,
                busyPollNs,
                metadata.of(about));
        return SocketErrors.checkDatagrams(count);
    }

    /**
     * Like {@link #receiveDatagrams}, but receives each datagram by its own blocking system call, as long as one
     * closely follows another. If this is closed meanwhile, the datagrams already received are returned.
     */
    public int receiveDatagramsEach(ByteBuffer into, int strideBytes, int capacity, long busyPollNs, ByteBuffer about)
            throws IOException {
        int count = NativeSocket.receiveDatagramsEach(
                descriptor, incoming.of(into), strideBytes, capacity, receiveStamps, busyPollNs, metadata.of(about));
        return SocketErrors.checkDatagrams(count);
    }

    /**
     * Reads the occupancy of the socket's buffers: bytes in the send buffer; of them unsent; unacknowledged; bytes in
     * the receive buffer; then, in µs since the connection began, the time with data to send, and of that the time
     * limited by the receiver's window and by the send buffer. Unknown values are −1.
     *
     * @param values receives {@value #OCCUPANCY_VALUES} values
     */
    public void readOccupancy(long[] values) throws IOException {
        SocketErrors.check("read the occupancy of the buffers", NativeSocket.readOccupancy(fd, isStream, occupancy));
        for (int i = 0; i < OCCUPANCY_VALUES; i++) {
            values[i] = occupancy.getLong(i * Long.BYTES);
        }
    }

    /**
     * Reads what a TCP socket that has opened a connection has sent again. Unknown values are −1.
     *
     * @param values receives the {@value #RETRANSMISSIONS_VALUES} values of {@code retransmissions.h}, in its order
     */
    public void readRetransmissions(long[] values) throws IOException {
        SocketErrors.check("read the retransmissions", NativeSocket.readRetransmissions(fd, retransmissions));
        for (int i = 0; i < RETRANSMISSIONS_VALUES; i++) {
            values[i] = retransmissions.getLong(i * Long.BYTES);
        }
    }

    /**
     * Reads the state of a TCP connection that this side opened. Unknown values are −1.
     *
     * @param values receives from index {@code from} the {@value #TCP_STATE_VALUES} values of {@code tcp_state.h}, in
     *     its order
     */
    public void readTcpState(long[] values, int from) throws IOException {
        SocketErrors.check("read the state of the connection", NativeSocket.readTcpState(fd, tcpStateAddress));
        for (int i = 0; i < TCP_STATE_VALUES; i++) {
            values[from + i] = tcpState.getLong(i * Long.BYTES);
        }
    }

    /**
     * Returns how many datagrams the kernel dropped since the socket was created, modulo 2³², because the receive
     * buffer was full or (rarer) a checksum was wrong; {@link #UNKNOWN} before Linux 4.12. Does not block the receiving
     * thread.
     */
    public long drops() {
        return Math.max(UNKNOWN, NativeSocket.drops(fd));
    }

    /** Returns the TCP congestion control in use. Allocates. */
    public String congestionControl() throws IOException {
        ByteBuffer name = ByteBuffer.allocateDirect(NAME_BYTES);
        SocketErrors.check("read the congestion control", NativeSocket.congestionControl(fd, name));
        return StandardCharsets.US_ASCII.decode(name).toString().trim(); // without the zeros behind it
    }

    /**
     * Sets the TCP congestion control. Allocates.
     *
     * @throws IOException if the kernel does not have it or refuses it to this user; the message says what to do
     */
    public void setCongestionControl(String name) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        int result = bytes.length < NAME_BYTES
                ? NativeSocket.setCongestionControl(
                        fd, ByteBuffer.allocateDirect(NAME_BYTES).put(bytes).put((byte) 0))
                : SocketErrors.NO_SUCH_NAME;
        SocketErrors.checkCongestionControl(name, result);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            NativeSocket.closeDescriptor(descriptor); // Linux releases the descriptor whatever close(2) returns
        }
    }

    /**
     * Caches the address of the last direct buffer, because calls for each packet use the same one. Keeps that buffer
     * allocated.
     */
    private static final class Address {
        private @Nullable ByteBuffer buffer;
        private long address;

        @SuppressWarnings("ReferenceEquality") // equals would compare the contents
        long of(ByteBuffer direct) {
            if (direct != buffer) {
                buffer = direct;
                address = NativeSocket.address(direct);
            }
            return address;
        }
    }
}
