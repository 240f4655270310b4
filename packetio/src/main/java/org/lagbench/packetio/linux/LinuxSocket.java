package org.lagbench.packetio.linux;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.transport.PacketErrorCounts;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.Retransmissions;
import org.lagbench.packetio.transport.SendBatch;
import org.lagbench.packetio.transport.SocketIo;

/**
 * A Linux socket through a separate file descriptor, which remains valid when the channel is closed. One thread calls
 * the methods; any thread may call {@link #drops} until closed, and {@link #close}. Closing releases the file
 * descriptor; the socket ends when its channel is closed as well. Methods allocate only where stated.
 *
 * <p>One JNI call makes the system calls for all packets of a batch, and C reads the clock around each: one call per
 * packet, or one call for several, which share its stamps. That is sendmmsg and recvmmsg, or one buffer over TCP and
 * with UDP segmentation offload, by which the kernel splits and joins datagrams.
 *
 * <p>The C code synchronizes blocking calls with a close ({@code descriptor.h}): no call ever uses a file descriptor
 * that was assigned to another socket meanwhile.
 */
public final class LinuxSocket implements SocketIo {
    /** Number of 64-bit values in a stamp of {@link #takeTransmitStamps}. */
    public static final int STAMP_VALUES = 3;

    /** Number of values of {@link #readOccupancy}. */
    public static final int OCCUPANCY_VALUES = 7;

    /** Number of values of {@link #readTcpState}. */
    public static final int TCP_STATE_VALUES = 22;

    private static final int NAME_BYTES = 16;
    private final int fd;
    private final boolean isStream;

    /** Memory of {@link #descriptor}; the reference keeps it allocated. */
    private final ByteBuffer descriptorMemory = numbers(NativeSocket.DESCRIPTOR_LONGS);

    /** The address of the {@code struct descriptor} for calls that a close may end. */
    private final long descriptor = NativeSocket.address(descriptorMemory);

    private final ByteBuffer occupancy = numbers(OCCUPANCY_VALUES);
    private final ByteBuffer retransmissions = numbers(Retransmissions.VALUES);
    private final ByteBuffer tcpState = numbers(TCP_STATE_VALUES);
    private final long tcpStateAddress = NativeSocket.address(tcpState);
    private final ByteBuffer stampsOfPacket = numbers(2);
    private final long stampsOfPacketAddress = NativeSocket.address(stampsOfPacket);
    private int writes = 1;
    private boolean sharesCalls;
    private long busyPollNs;
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

    /**
     * Sets how packets are sent and received.
     *
     * @param calls number of system calls that send each packet of a stream, in parts of about the same size
     * @param shares whether one system call sends or receives several packets; not for receiving a stream
     * @param pollNs how long receiving polls for a datagram before it sleeps, in ns; 0 to sleep at once
     */
    public void configure(int calls, boolean shares, long pollNs) {
        writes = calls;
        sharesCalls = shares;
        busyPollNs = pollNs;
    }

    @Override
    public void limitReceive(long timeoutNs) throws IOException {
        NativeSocket.check("limit the time to wait for data", NativeSocket.limitReceive(fd, timeoutNs));
    }

    @Override
    public boolean awaitSender(long tag, int packetBytes, @Nullable InetAddress onlyHost) throws IOException {
        int result = NativeSocket.awaitSender(
                descriptor, tag, packetBytes, onlyHost == null ? null : Endpoint.format(onlyHost));
        if (result == NativeSocket.ENDED) {
            throw new ClosedChannelException();
        }
        return NativeSocket.check("receive", result) > 0;
    }

    /**
     * Makes the kernel stamp all data sent from now on: when it enters the queueing discipline, when it reaches the
     * driver, when a TCP peer acknowledges it, and in hardware if the network card is set to. The key of the first UDP
     * packet is 0 and increases by 1; TCP's key is the stream offset of a write's last byte from now on; both modulo
     * 2³². The stamps end with the first datagram that is lost because this host has no route.
     */
    public void enableTransmitStamps() throws IOException {
        NativeSocket.check("enable stamps of sent packets", NativeSocket.enableTransmitStamps(fd, isStream));
    }

    /**
     * Takes the available transmit stamps without waiting.
     *
     * @param stamps direct, in native byte order; receives stage, key and CLOCK_REALTIME in ns of each from index 0
     * @return number of stamps
     */
    public int takeTransmitStamps(ByteBuffer stamps) throws IOException {
        return NativeSocket.check(
                "take stamps of sent packets",
                NativeSocket.takeTransmitStamps(fd, stamps, stamps.capacity() / (STAMP_VALUES * Long.BYTES)));
    }

    /** Makes the kernel stamp all data received from the driver from now on. */
    public void enableReceiveStamps() throws IOException {
        NativeSocket.check("enable stamps of received packets", NativeSocket.enableReceiveStamps(fd));
        receiveStamps = true;
    }

    /**
     * Enables UDP segmentation offload (UDP_SEGMENT): a call that sends several packets then passes them as one buffer,
     * which is split into datagrams.
     *
     * @throws IOException if the kernel does not support it; the message states the remedy
     */
    public void enableSendOffload(int packetBytes) throws IOException {
        NativeSocket.checkOffload(NativeSocket.enableSendOffload(fd, packetBytes));
        sendOffload = true;
    }

    /**
     * Allows the kernel to join received datagrams (UDP_GRO); {@link #receive} then needs buffer space for them.
     *
     * @throws IOException if the kernel does not support it; the message states the remedy
     */
    public void enableReceiveOffload() throws IOException {
        NativeSocket.checkOffload(NativeSocket.enableReceiveOffload(fd));
        receiveOffload = true;
    }

    /** Sends and receives only through a network interface (SO_BINDTODEVICE). */
    public void bindToDevice(String device) throws IOException {
        NativeSocket.check("use the network interface " + device, NativeSocket.bindToDevice(fd, device));
    }

    /** Makes sending a datagram fail, with EMSGSIZE, if it does not fit the MTU of the path as the kernel knows it. */
    public void refuseFragments() throws IOException {
        NativeSocket.check("refuse fragments", NativeSocket.setFragmenting(fd, false));
    }

    /**
     * Makes the kernel send each datagram up to the interface's MTU unfragmented, even if it knows a smaller MTU of the
     * path.
     */
    public void probeMtu() throws IOException {
        NativeSocket.check("probe the path's MTU", NativeSocket.setFragmenting(fd, true));
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        long address = outgoing.of(packets.buffer()) + packets.offset();
        long stamps = stampsOfCall.of(packets.stamps());
        int bytes = packets.packetBytes();
        int prefix = packets.prefixBytesSent();
        int sent;
        if (!sharesCalls) {
            sent = NativeSocket.sendEach(descriptor, address, bytes, packets.count(), prefix, writes, stamps);
        } else if (isStream || sendOffload) {
            sent = NativeSocket.sendJoined(descriptor, address, bytes, packets.count(), prefix, stamps);
        } else {
            sent = NativeSocket.sendDatagrams(descriptor, address, bytes, packets.count(), stamps);
        }
        return checkSent(sent, bytes);
    }

    @Override
    public void sendPacket(ByteBuffer packet, int prefixBytesSent, long[] stamps, int from) throws IOException {
        stamps[from] = sendOne(packet, 0, packet.limit(), prefixBytesSent);
        stamps[from + 1] = stampsOfPacket.getLong(Long.BYTES);
    }

    @Override
    public long reply(ByteBuffer packets, int offset, int packetBytes) throws IOException {
        return sendOne(packets, offset, packetBytes, 0);
    }

    private long sendOne(ByteBuffer packets, int offset, int bytes, int prefixBytesSent) throws IOException {
        long address = outgoing.of(packets) + offset;
        checkSent(
                NativeSocket.sendEach(descriptor, address, bytes, 1, prefixBytesSent, writes, stampsOfPacketAddress),
                bytes);
        return stampsOfPacket.getLong(0);
    }

    private int checkSent(int sent, int packetBytes) throws IOException {
        return sent > 0 ? sent : NativeSocket.failSend(sent, packetBytes, sendOffload);
    }

    /**
     * {@inheritDoc}
     *
     * <p>If each datagram has its own system call, these continue as long as one closely follows another. If this is
     * closed meanwhile, the datagrams already received are returned.
     *
     * @throws java.net.SocketException if the peer has broken off the connection; the message is the system's
     */
    @Override
    public int receive(ReceiveBatch into) throws IOException {
        if (isStream) {
            return receiveStream(into);
        }
        long packets = incoming.of(into.packets());
        long about = metadata.of(into.metadata());
        int stride = into.strideBytes();
        int capacity = into.capacity();
        return NativeSocket.checkDatagrams(
                sharesCalls || capacity == 1
                        ? NativeSocket.receiveDatagrams(
                                descriptor, packets, stride, capacity, receiveOffload, receiveStamps, busyPollNs, about)
                        : NativeSocket.receiveDatagramsEach(
                                descriptor, packets, stride, capacity, receiveStamps, busyPollNs, about));
    }

    private int receiveStream(ReceiveBatch into) throws IOException {
        ByteBuffer buffer = into.packets();
        long address = incoming.of(buffer) + buffer.position();
        long stamps = metadata.of(into.metadata()) + ReceiveBatch.STREAM_STAMPS_OFFSET;
        int bytes = NativeSocket.receiveBytes(descriptor, address, buffer.remaining(), receiveStamps, stamps);
        if (bytes == NativeSocket.ENDED || bytes == 0) {
            return END;
        }
        NativeSocket.checkConnection(bytes);
        buffer.position(buffer.position() + NativeSocket.check("receive", bytes));
        return 1;
    }

    /**
     * Reads the occupancy of the socket's buffers: bytes in the send buffer; of them unsent; unacknowledged; bytes in
     * the receive buffer; then, in µs since the connection began, the time with data to send, and of that the time
     * limited by the receiver's window and by the send buffer. Unknown values are −1.
     *
     * @param values receives {@value #OCCUPANCY_VALUES} values
     */
    public void readOccupancy(long[] values) throws IOException {
        NativeSocket.check("read the occupancy of the buffers", NativeSocket.readOccupancy(fd, isStream, occupancy));
        copy(occupancy, OCCUPANCY_VALUES, values, 0);
    }

    /**
     * Reads what a TCP socket that has opened a connection has retransmitted. Unknown values are −1.
     *
     * @param values receives the {@value Retransmissions#VALUES} values of {@code struct retransmissions}, in its order
     */
    public void readRetransmissions(long[] values) throws IOException {
        NativeSocket.check("read the retransmissions", NativeSocket.readRetransmissions(fd, retransmissions));
        copy(retransmissions, Retransmissions.VALUES, values, 0);
    }

    /**
     * Reads the state of a TCP connection that this side opened. Unknown values are −1.
     *
     * @param values receives from index {@code from} the {@value #TCP_STATE_VALUES} values of {@code tcp_state.h}, in
     *     its order
     */
    public void readTcpState(long[] values, int from) throws IOException {
        NativeSocket.check("read the state of the connection", NativeSocket.readTcpState(fd, tcpStateAddress));
        copy(tcpState, TCP_STATE_VALUES, values, from);
    }

    private static void copy(ByteBuffer numbers, int count, long[] values, int from) {
        for (int i = 0; i < count; i++) {
            values[from + i] = numbers.getLong(i * Long.BYTES);
        }
    }

    /**
     * Returns how many datagrams the kernel dropped since the socket was created, modulo 2³², because the receive
     * buffer was full or (rarer) a checksum was wrong; {@link #UNKNOWN} before Linux 4.12. Does not block the receiving
     * thread.
     */
    @Override
    public long drops() {
        return Math.max(UNKNOWN, NativeSocket.drops(fd));
    }

    @Override
    public void addErrors(PacketErrorCounts into) {
        PacketError[] errors = PacketError.values();
        for (int i = 0; i < errors.length; i++) {
            int at = NativeSocket.ERRORS_AT + i;
            into.countFailed(errors[i], descriptorMemory.getLong(at * Long.BYTES));
            into.countRetried(errors[i], descriptorMemory.getLong((at + errors.length) * Long.BYTES));
        }
    }

    /** Returns the TCP congestion control in use. Allocates. */
    public String congestionControl() throws IOException {
        ByteBuffer name = ByteBuffer.allocateDirect(NAME_BYTES);
        NativeSocket.check("read the congestion control", NativeSocket.congestionControl(fd, name));
        return StandardCharsets.US_ASCII.decode(name).toString().trim(); // without trailing zeros
    }

    /**
     * Sets the TCP congestion control. Allocates.
     *
     * @throws IOException if the kernel does not support it or refuses it to this user; the message states the remedy
     */
    public void setCongestionControl(String name) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        int result = bytes.length < NAME_BYTES
                ? NativeSocket.setCongestionControl(
                        fd, ByteBuffer.allocateDirect(NAME_BYTES).put(bytes).put((byte) 0))
                : NativeSocket.NO_SUCH_NAME;
        NativeSocket.checkCongestionControl(name, result);
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
