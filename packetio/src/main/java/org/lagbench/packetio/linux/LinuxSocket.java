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
 * A socket as Linux has it, by a separate descriptor, which stays valid when the channel is closed. One thread calls
 * its methods; any thread may ask for {@link #drops} until it is closed, and any may {@link #close} it, which releases
 * what this took of the kernel, but ends the socket only when its channel is closed as well. Only what says so
 * allocates.
 *
 * <p>A call that may wait and a close are kept apart in C ({@code descriptor.h}): no call ever meets a number that
 * another socket has got meanwhile.
 */
public final class LinuxSocket implements AutoCloseable {
    /** Returned by calls that receive when nothing will come any more. */
    public static final int END = -1;

    /** 64-bit numbers that a stamp of {@link #takeTransmitStamps} has. */
    public static final int STAMP_VALUES = 3;

    /** Numbers that {@link #readOccupancy} gives. */
    public static final int OCCUPANCY_VALUES = 7;

    /** Returned by {@link #drops} where the kernel does not tell. */
    public static final long UNKNOWN = -1;

    private static final int NAME_BYTES = 16;
    private static final int ENOENT = 2;
    private static final int EPERM = 1;
    private static final int EIO = 5;
    private static final int EINVAL = 22;
    private static final int EPIPE = 32;
    private static final int EMSGSIZE = 90;
    private static final int ENOPROTOOPT = 92;
    private static final int ECONNRESET = 104;
    private static final int ECONNREFUSED = 111;

    private final int descriptor;
    private final boolean isStream;

    /** What {@link #endable} is made in. */
    private final ByteBuffer endableRoom = numbers(Socket.DESCRIPTOR_LONGS);

    /** The descriptor for calls that a close may have to end. */
    private final long endable = Socket.address(endableRoom);

    private final ByteBuffer occupancy = numbers(OCCUPANCY_VALUES);
    private boolean receiveStamps;
    private boolean sendOffload;
    private boolean receiveOffload;

    private final Address outgoing = new Address();
    private final Address incoming = new Address();
    private final Address metadata = new Address();
    private final Address stampsOfCall = new Address();
    private boolean closed;

    LinuxSocket(int descriptor, boolean isStream) {
        this.descriptor = descriptor;
        this.isStream = isStream;
        Socket.makeDescriptor(endable, descriptor);
    }

    private static ByteBuffer numbers(int count) {
        return ByteBuffer.allocateDirect(count * Long.BYTES).order(ByteOrder.nativeOrder());
    }

    /** Whether it is a stream's socket; else one of datagrams. */
    public boolean isStream() {
        return isStream;
    }

    /**
     * Has all that the socket sends from now on stamped: when it entered the queueing discipline, when the driver took
     * it, when a TCP peer acknowledged it, and by a network card that was told to. The first packet's key is 0 for UDP
     * and the next ones count on; TCP's keys are the offset of the last byte of a write in the stream from now on; both
     * modulo 2³².
     */
    public void enableTransmitStamps() throws IOException {
        check("have sent packets stamped", Socket.enableTransmitStamps(descriptor, isStream));
    }

    /**
     * Takes the transmit stamps that are there and does not wait for more.
     *
     * @param stamps direct, in native byte order; gets stage, key and CLOCK_REALTIME in ns of each from its beginning
     * @return how many
     */
    public int takeTransmitStamps(ByteBuffer stamps) throws IOException {
        return check(
                "take stamps of sent packets",
                Socket.takeTransmitStamps(descriptor, stamps, stamps.capacity() / (STAMP_VALUES * Long.BYTES)));
    }

    /** Has all that the socket receives from now on stamped as it comes in from the driver. */
    public void enableReceiveStamps() throws IOException {
        check("have received packets stamped", Socket.enableReceiveStamps(descriptor));
        receiveStamps = true;
    }

    /**
     * Waits for bytes of a stream, or a datagram, and puts no more than {@code room} into a direct buffer.
     *
     * @param stamps direct, in native byte order; gets at {@code stampsOffset} CLOCK_REALTIME in ns just after the
     *     call, and the kernel's stamp, 0 if it has none
     * @return how many bytes, or {@link #END} at the end of a stream or once closed
     * @throws SocketException if the peer has broken off the connection: the system's own words
     */
    public int receiveBytes(ByteBuffer into, int offset, int room, ByteBuffer stamps, int stampsOffset)
            throws IOException {
        int count = Socket.receiveBytes(
                endable, incoming.of(into) + offset, room, receiveStamps, metadata.of(stamps) + stampsOffset);
        if (count == Socket.ENDED || (count == 0 && isStream)) {
            return END;
        }
        checkConnection(count);
        return check("receive", count);
    }

    /**
     * Enables UDP segmentation offload: {@link #sendJoined} then passes the packets as one buffer, which is cut into
     * datagrams (UDP_SEGMENT).
     *
     * @throws IOException if the kernel cannot: the message says what to do
     */
    public void enableSendOffload(int packetBytes) throws IOException {
        checkOffload(Socket.enableSendOffload(descriptor, packetBytes));
        sendOffload = true;
    }

    /**
     * Allows the kernel to join received datagrams (UDP_GRO); {@link #receiveDatagrams} is then given room for them.
     *
     * @throws IOException if the kernel cannot: the message says what to do
     */
    public void enableReceiveOffload() throws IOException {
        checkOffload(Socket.enableReceiveOffload(descriptor));
        receiveOffload = true;
    }

    private static void checkOffload(int result) throws IOException {
        if (result == -ENOPROTOOPT) {
            throw new IOException(
                    "this kernel has no UDP segmentation offload, which needs Linux 5.0; set udp.offload: off");
        }
        check("enable UDP segmentation offload", result);
    }

    /** Whether {@link #sendJoined} sends packets by one system call: over TCP, or with UDP segmentation offload. */
    public boolean joinsPackets() {
        return isStream || sendOffload;
    }

    /**
     * Sends packets that lie one behind the other, each by its own system call; waits while the send buffer is full.
     *
     * @param bytesAhead how many bytes of the first one's beginning were sent before, no more than its tag has
     * @param stamps gets CLOCK_REALTIME in ns just before and just after each call
     * @return how many the kernel took, all of each, 1 or more
     * @throws PortUnreachableException if nobody receives the datagrams
     * @throws SocketException if the peer has ended the connection: the system's own words
     * @throws ClosedChannelException if this is or was closed meanwhile
     */
    public int sendEach(ByteBuffer packets, int offset, int packetBytes, int count, int bytesAhead, ByteBuffer stamps)
            throws IOException {
        return checkSent(
                Socket.sendEach(
                        endable,
                        outgoing.of(packets) + offset,
                        packetBytes,
                        count,
                        bytesAhead,
                        stampsOfCall.of(stamps)),
                packetBytes);
    }

    /** The same by one system call, as one buffer: where {@link #joinsPackets}. */
    public int sendJoined(ByteBuffer packets, int offset, int packetBytes, int count, int bytesAhead, ByteBuffer stamps)
            throws IOException {
        return checkSent(
                Socket.sendJoined(
                        endable,
                        outgoing.of(packets) + offset,
                        packetBytes,
                        count,
                        bytesAhead,
                        stampsOfCall.of(stamps)),
                packetBytes);
    }

    /** The same by one system call, a datagram each. */
    public int sendDatagrams(ByteBuffer packets, int offset, int packetBytes, int count, ByteBuffer stamps)
            throws IOException {
        return checkSent(
                Socket.sendDatagrams(
                        endable, outgoing.of(packets) + offset, packetBytes, count, stampsOfCall.of(stamps)),
                packetBytes);
    }

    private int checkSent(int sent, int packetBytes) throws IOException {
        return sent > 0 ? sent : failedToSend(sent, packetBytes);
    }

    private int failedToSend(int sent, int packetBytes) throws IOException {
        if (sent == Socket.ENDED) {
            throw new ClosedChannelException();
        }
        if (sendOffload && (sent == -EINVAL || sent == -EMSGSIZE)) {
            throw new IOException("the kernel refuses segmentation offload of packets of " + packetBytes
                    + " bytes: with their IP and UDP headers they must fit the MTU of the path; choose smaller packets"
                    + " or set udp.offload: off");
        }
        if (sendOffload && sent == -EIO) {
            throw new IOException("the kernel refuses segmentation offload: the network interface computes no checksums"
                    + " (ethtool -K DEVICE tx on); else set udp.offload: off");
        }
        if (sent == -ECONNREFUSED) {
            throw new PortUnreachableException();
        }
        checkConnection(sent);
        return check("send", sent);
    }

    /**
     * Waits for a datagram, and takes by the same system call those that are there and there is room for. If this is
     * closed meanwhile, none is given.
     *
     * @param busyPollNs how long it waits without sleeping before it sleeps, in ns; 0 to sleep at once
     * @param about gets what {@code ReceiveBatch.metadata} says
     * @return how many, 1 or more, or {@link #END} once closed
     */
    public int receiveDatagrams(ByteBuffer into, int strideBytes, int room, long busyPollNs, ByteBuffer about)
            throws IOException {
        int count = Socket.receiveDatagrams(
                endable,
                incoming.of(into),
                strideBytes,
                room,
                receiveOffload,
                receiveStamps,
                busyPollNs,
                metadata.of(about));
        return count == Socket.ENDED ? END : check("receive", count);
    }

    /**
     * Takes datagrams each by its own system call, which waits for it, as long as one closely follows another. If this
     * is closed meanwhile, those that had come are given. Else as {@link #receiveDatagrams}.
     */
    public int receiveDatagramsEach(ByteBuffer into, int strideBytes, int room, long busyPollNs, ByteBuffer about)
            throws IOException {
        int count = Socket.receiveDatagramsEach(
                endable, incoming.of(into), strideBytes, room, receiveStamps, busyPollNs, metadata.of(about));
        return count == Socket.ENDED ? END : check("receive", count);
    }

    /**
     * How full the socket's buffers are: bytes in the send buffer; of them not yet sent; sent and not acknowledged;
     * bytes in the receive buffer; then, in µs since the connection began, how long there was something to send, and
     * how long of that the receiver's window and how long the send buffer's size held it up. −1 for what is not known.
     *
     * @param values gets these {@value #OCCUPANCY_VALUES}
     */
    public void readOccupancy(long[] values) throws IOException {
        check("read how full the buffers are", Socket.readOccupancy(descriptor, isStream, occupancy));
        for (int i = 0; i < OCCUPANCY_VALUES; i++) {
            values[i] = occupancy.getLong(i * Long.BYTES);
        }
    }

    /**
     * How many datagrams the kernel dropped since the socket was made, modulo 2³²: they found its receive buffer full,
     * or (rarer) had a wrong checksum; {@link #UNKNOWN} before Linux 4.12. What receives does not wait for it.
     */
    public long drops() {
        return Math.max(UNKNOWN, Socket.drops(descriptor));
    }

    /** The TCP congestion control in use. Allocates. */
    public String congestionControl() throws IOException {
        ByteBuffer name = ByteBuffer.allocateDirect(NAME_BYTES);
        check("read the congestion control", Socket.congestionControl(descriptor, name));
        StringBuilder text = new StringBuilder();
        for (byte next = name.get(); next != 0; next = name.get()) {
            text.append((char) next);
        }
        return text.toString();
    }

    /**
     * Chooses the TCP congestion control. Allocates.
     *
     * @throws IOException if the kernel does not have it or does not let this user: the message says what to do
     */
    public void chooseCongestionControl(String name) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length >= NAME_BYTES) {
            throw new IOException(noCongestionControl(name));
        }
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(NAME_BYTES).put(bytes).put((byte) 0).flip();
        int result = Socket.chooseCongestionControl(descriptor, buffer);
        if (result == -ENOENT) {
            throw new IOException(noCongestionControl(name));
        }
        if (result == -EPERM) {
            throw new IOException("only root may choose the congestion control \"" + name
                    + "\"; add it to sysctl net.ipv4.tcp_allowed_congestion_control");
        }
        check("choose the congestion control " + name, result);
    }

    private static String noCongestionControl(String name) {
        return "this kernel has no congestion control \"" + name
                + "\"; see sysctl net.ipv4.tcp_available_congestion_control, or load its module: modprobe tcp_" + name;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Socket.closeDescriptor(endable); // Linux takes the descriptor back whatever it returns, see close(2)
        }
    }

    /** That the peer ended the connection is no failure of a call, and told as a channel tells it. */
    private static void checkConnection(int result) throws SocketException {
        if (result == -EPIPE || result == -ECONNRESET) {
            throw new SocketException(Socket.errorText(-result));
        }
    }

    private static int check(String what, int result) throws IOException {
        if (result < 0) {
            throw new IOException("cannot " + what + ": " + Socket.reason(result));
        }
        return result;
    }

    /**
     * Where a direct buffer is in memory: the JVM is asked only when the buffer is another than before, as for calls
     * that are made for each packet it is the same. Keeps the last buffer from being released.
     */
    private static final class Address {
        private @Nullable ByteBuffer buffer;
        private long address;

        @SuppressWarnings("ReferenceEquality") // equals compares what is in the buffers
        long of(ByteBuffer direct) {
            if (direct != buffer) {
                buffer = direct;
                address = Socket.address(direct);
            }
            return address;
        }
    }
}
