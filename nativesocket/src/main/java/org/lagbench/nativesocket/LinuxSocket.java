package org.lagbench.nativesocket;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.lagbench.core.transport.ip.KernelSocket;
import org.lagbench.core.transport.ip.ReceivedDatagrams;

/**
 * A socket by a descriptor of its own, which stays valid when the channel is closed.
 *
 * <p>A call that may wait and a close are kept apart by a state that each changes in one atomic step: whoever comes last
 * closes the descriptor, so that no call ever meets a number that another socket has got meanwhile.
 */
final class LinuxSocket implements KernelSocket {
    private static final int IDLE = 0;
    private static final int RECEIVING = 1;
    private static final int SENDING = 2;
    private static final int CLOSED = 3;

    private static final int OCCUPANCY_VALUES = 7;
    private static final int NAME_BYTES = 16;
    private static final int ENOENT = 2;
    private static final int EPERM = 1;
    private static final int EPIPE = 32;
    private static final int ECONNRESET = 104;
    private static final int ECONNREFUSED = 111;

    private final int descriptor;
    private final boolean isStream;
    private final AtomicInteger state = new AtomicInteger(IDLE);
    private final ByteBuffer stamp = numbers(1);
    private final ByteBuffer occupancy = numbers(OCCUPANCY_VALUES);
    private boolean receiveStamps;

    private final Address outgoing = new Address();
    private final Address incoming = new Address();
    private final Address told = new Address();

    LinuxSocket(int descriptor, boolean isStream) {
        this.descriptor = descriptor;
        this.isStream = isStream;
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
        long address = incoming.of(buffer);
        if (!state.compareAndSet(IDLE, RECEIVING)) {
            return END;
        }
        int received = receiveStamps
                ? Socket.receive(descriptor, buffer, buffer.position(), buffer.remaining(), stamp)
                : Socket.receiveStream(descriptor, address + buffer.position(), buffer.remaining());
        if (!endsCall(RECEIVING)) {
            return END;
        }
        if (received == 0 && isStream) {
            return END;
        }
        checkConnection(received);
        check("receive", received);
        buffer.position(buffer.position() + received);
        return received;
    }

    @Override
    public int send(ByteBuffer bytes) throws IOException {
        long address = outgoing.of(bytes);
        if (!state.compareAndSet(IDLE, SENDING)) {
            throw new ClosedChannelException();
        }
        int sent = Socket.sendStream(descriptor, address + bytes.position(), bytes.remaining());
        if (!endsCall(SENDING)) {
            throw new ClosedChannelException();
        }
        checkConnection(sent);
        check("send", sent);
        bytes.position(bytes.position() + sent);
        return sent;
    }

    @Override
    public int sendDatagrams(ByteBuffer packets, int count) throws IOException {
        long address = outgoing.of(packets);
        if (!state.compareAndSet(IDLE, SENDING)) {
            throw new ClosedChannelException();
        }
        int sent = Socket.sendDatagrams(descriptor, address + packets.position(), packets.remaining() / count, count);
        if (!endsCall(SENDING)) {
            throw new ClosedChannelException();
        }
        if (sent == -ECONNREFUSED) {
            throw new PortUnreachableException();
        }
        return check("send", sent);
    }

    @Override
    public int receiveDatagrams(ReceivedDatagrams into, boolean wait) throws IOException {
        long packets = incoming.of(into.packets());
        long toldOfThem = told.of(into.told());
        if (!state.compareAndSet(IDLE, RECEIVING)) {
            return END;
        }
        int received = Socket.receiveDatagrams(
                descriptor, packets, into.strideBytes(), into.room(), receiveStamps, wait, toldOfThem);
        return endsCall(RECEIVING) ? check("receive", received) : END;
    }

    /** Whether the call came to its end before a close; if not, this closes. */
    private boolean endsCall(int call) {
        boolean ends = state.compareAndSet(call, IDLE);
        if (!ends) {
            closeDescriptor();
        }
        return ends;
    }

    @Override
    public long receiveStampNs() {
        return stamp.getLong(0);
    }

    @Override
    public void readOccupancy(long[] values) throws IOException {
        check("read how full the buffers are", Socket.readOccupancy(descriptor, isStream, occupancy));
        for (int i = 0; i < OCCUPANCY_VALUES; i++) {
            values[i] = occupancy.getLong(i * Long.BYTES);
        }
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
        int before = state.getAndSet(CLOSED);
        if (before == IDLE) {
            closeDescriptor();
        } else if (before == RECEIVING) {
            Socket.endReceive(descriptor); // fails only if nobody waits any more
        } else if (before == SENDING) {
            Socket.endSend(descriptor); // likewise
        }
    }

    /** Waits until a close that goes on has ended the call by the descriptor. */
    private synchronized void closeDescriptor() {
        Socket.close(descriptor); // Linux takes the descriptor back whatever it returns, see close(2)
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
