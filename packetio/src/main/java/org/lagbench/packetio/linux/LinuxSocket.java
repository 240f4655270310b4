package org.lagbench.packetio.linux;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import org.lagbench.packetio.socket.KernelSocket;
import org.lagbench.packetio.socket.ReceiveBatch;
import org.lagbench.packetio.socket.SendBatch;

/**
 * A socket by a descriptor of its own, which stays valid when the channel is closed.
 *
 * <p>A call that may wait and a close are kept apart in C ({@code descriptor.h}): no call ever meets a number that
 * another socket has got meanwhile.
 */
final class LinuxSocket implements KernelSocket {
    private static final int RECEIVED_NS = 0;
    private static final int KERNEL_NS = Long.BYTES;
    private static final int RECEIVE_STAMPS = 2;

    private static final int OCCUPANCY_VALUES = 7;
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

    private final ByteBuffer received = numbers(RECEIVE_STAMPS);
    private final long receiveStampsAddress = Socket.address(received);
    private final ByteBuffer occupancy = numbers(OCCUPANCY_VALUES);
    private boolean receiveStamps;
    private boolean sendOffload;
    private boolean receiveOffload;

    private final Address outgoing = new Address();
    private final Address incoming = new Address();
    private final Address told = new Address();
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

    @Override
    public void enableTransmitStamps() throws IOException {
        check("have sent packets stamped", Socket.enableTransmitStamps(descriptor, isStream));
    }

    @Override
    public int takeTransmitStamps(ByteBuffer stamps) throws IOException {
        return check(
                "take stamps of sent packets",
                Socket.takeTransmitStamps(descriptor, stamps, stamps.capacity() / (STAMP_VALUES * Long.BYTES)));
    }

    @Override
    public void enableReceiveStamps() throws IOException {
        check("have received packets stamped", Socket.enableReceiveStamps(descriptor));
        receiveStamps = true;
    }

    @Override
    public int receive(ByteBuffer buffer) throws IOException {
        int count = Socket.receiveBytes(
                endable,
                incoming.of(buffer) + buffer.position(),
                buffer.remaining(),
                receiveStamps,
                receiveStampsAddress);
        if (count == Socket.ENDED || (count == 0 && isStream)) {
            return END;
        }
        checkConnection(count);
        check("receive", count);
        buffer.position(buffer.position() + count);
        return count;
    }

    @Override
    public long receivedNs() {
        return received.getLong(RECEIVED_NS);
    }

    @Override
    public long receiveStampNs() {
        return received.getLong(KERNEL_NS);
    }

    @Override
    public int sendStream(SendBatch packets, int bytesAhead) throws IOException {
        long first = outgoing.of(packets.buffer()) + packets.offset();
        long stamps = stampsOfCall.of(packets.stamps());
        int sent = packets.together()
                ? Socket.sendJoined(endable, first, packets.packetBytes(), packets.count(), bytesAhead, stamps)
                : Socket.sendEach(endable, first, packets.packetBytes(), packets.count(), bytesAhead, stamps);
        checkNotEnded(sent);
        checkConnection(sent);
        return check("send", sent);
    }

    @Override
    public int sendDatagrams(SendBatch packets) throws IOException {
        long first = outgoing.of(packets.buffer()) + packets.offset();
        long stamps = stampsOfCall.of(packets.stamps());
        int sent = !packets.together()
                ? Socket.sendEach(endable, first, packets.packetBytes(), packets.count(), 0, stamps)
                : sendOffload
                        ? Socket.sendJoined(endable, first, packets.packetBytes(), packets.count(), 0, stamps)
                        : Socket.sendDatagrams(endable, first, packets.packetBytes(), packets.count(), stamps);
        checkNotEnded(sent);
        if (sendOffload && (sent == -EINVAL || sent == -EMSGSIZE)) {
            throw new IOException("the kernel refuses segmentation offload of packets of " + packets.packetBytes()
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
        return check("send", sent);
    }

    @Override
    public int receiveDatagrams(ReceiveBatch into, long busyPollNs) throws IOException {
        long packets = incoming.of(into.packets());
        int stride = into.strideBytes();
        int count = into.together()
                ? Socket.receiveDatagrams(
                        endable,
                        packets,
                        stride,
                        into.room(),
                        receiveOffload,
                        receiveStamps,
                        busyPollNs,
                        told.of(into.told()))
                : Socket.receiveDatagramsEach(
                        endable, packets, stride, into.room(), receiveStamps, busyPollNs, told.of(into.told()));
        return count == Socket.ENDED ? END : check("receive", count);
    }

    @Override
    public void enableSendOffload(int packetBytes) throws IOException {
        checkOffload(Socket.enableSendOffload(descriptor, packetBytes));
        sendOffload = true;
    }

    @Override
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

    @Override
    public void readOccupancy(long[] values) throws IOException {
        check("read how full the buffers are", Socket.readOccupancy(descriptor, isStream, occupancy));
        for (int i = 0; i < OCCUPANCY_VALUES; i++) {
            values[i] = occupancy.getLong(i * Long.BYTES);
        }
    }

    @Override
    public long drops() throws IOException {
        long drops = Socket.drops(descriptor);
        if (drops < 0) {
            check("count the dropped datagrams", Math.toIntExact(drops));
        }
        return drops;
    }

    @Override
    public String congestionControl() throws IOException {
        ByteBuffer name = ByteBuffer.allocateDirect(NAME_BYTES);
        check("read the congestion control", Socket.congestionControl(descriptor, name));
        StringBuilder text = new StringBuilder();
        for (byte next = name.get(); next != 0; next = name.get()) {
            text.append((char) next);
        }
        return text.toString();
    }

    @Override
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

    private static void checkNotEnded(int result) throws ClosedChannelException {
        if (result == Socket.ENDED) {
            throw new ClosedChannelException();
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
            throw new IOException("cannot " + what + ": " + Socket.errorText(-result) + " (errno " + -result + ")");
        }
        return result;
    }
}
