package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lagbench.packetio.linux.LinuxSocket;

/**
 * Sends and receives by system calls. One JNI call makes those for all packets of a batch, and C reads the clock around
 * each: one call per packet, or one call for several, which share its stamps. That is sendmmsg and recvmmsg, or one
 * buffer over TCP and with UDP segmentation offload, by which the kernel splits and joins datagrams.
 */
final class LinuxIo implements SocketIo {
    private final LinuxSocket socket;
    private final boolean sharesCalls;
    private final long busyPollNs;
    private final ByteBuffer stampsOfPacket =
            ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());

    /** @param sharesCalls whether one system call sends or receives several packets; not for receiving a stream */
    LinuxIo(LinuxSocket socket, boolean sharesCalls, long busyPollNs) {
        this.socket = socket;
        this.sharesCalls = sharesCalls;
        this.busyPollNs = busyPollNs;
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        ByteBuffer buffer = packets.buffer();
        int bytes = packets.packetBytes();
        int prefixBytes = packets.prefixBytesSent();
        ByteBuffer stamps = packets.stamps();
        if (!sharesCalls) {
            return socket.sendEach(buffer, packets.offset(), bytes, packets.count(), prefixBytes, stamps);
        }
        return socket.joinsPackets()
                ? socket.sendJoined(buffer, packets.offset(), bytes, packets.count(), prefixBytes, stamps)
                : socket.sendDatagrams(buffer, packets.offset(), bytes, packets.count(), stamps);
    }

    @Override
    public int receive(ReceiveBatch into) throws IOException {
        if (socket.isStream()) {
            return receiveStream(into);
        }
        return sharesCalls || into.capacity() == 1
                ? socket.receiveDatagrams(
                        into.packets(), into.strideBytes(), into.capacity(), busyPollNs, into.metadata())
                : socket.receiveDatagramsEach(
                        into.packets(), into.strideBytes(), into.capacity(), busyPollNs, into.metadata());
    }

    private int receiveStream(ReceiveBatch into) throws IOException {
        ByteBuffer buffer = into.packets();
        int bytes = socket.receiveBytes(
                buffer, buffer.position(), buffer.remaining(), into.metadata(), ReceiveBatch.STREAM_STAMPS_OFFSET);
        if (bytes == LinuxSocket.END) {
            return END;
        }
        buffer.position(buffer.position() + bytes);
        return 1;
    }

    @Override
    public void limitReceive(long timeoutNs) throws IOException {
        socket.limitReceive(timeoutNs);
    }

    @Override
    public boolean awaitSender(long tag, int packetBytes) throws IOException {
        return socket.awaitSender(tag, packetBytes);
    }

    @Override
    public void sendPacket(ByteBuffer packet, int prefixBytesSent, long[] stamps, int from) throws IOException {
        socket.sendEach(packet, 0, packet.limit(), 1, prefixBytesSent, stampsOfPacket);
        stamps[from] = stampsOfPacket.getLong(0);
        stamps[from + 1] = stampsOfPacket.getLong(Long.BYTES);
    }

    @Override
    public long reply(ByteBuffer packets, int offset, int packetBytes) throws IOException {
        socket.sendEach(packets, offset, packetBytes, 1, 0, stampsOfPacket);
        return stampsOfPacket.getLong(0);
    }

    @Override
    public long drops() {
        return socket.drops();
    }

    @Override
    public void close() {
        socket.close();
    }
}
