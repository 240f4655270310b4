package org.lagbench.packetio.socket;

import java.io.IOException;
import org.lagbench.packetio.linux.LinuxSocket;

/**
 * Sends and receives several packets by one system call, which share its stamps: sendmmsg and recvmmsg, one buffer over
 * TCP, or one that the kernel cuts and joins (UDP_SEGMENT, UDP_GRO). Receives no stream.
 */
final class BatchIo implements SocketIo {
    private final LinuxSocket socket;
    private final long busyPollNs;

    BatchIo(LinuxSocket socket, long busyPollNs) {
        this.socket = socket;
        this.busyPollNs = busyPollNs;
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        return socket.joinsPackets()
                ? socket.sendJoined(
                        packets.buffer(),
                        packets.offset(),
                        packets.packetBytes(),
                        packets.count(),
                        packets.bytesAhead(),
                        packets.stamps())
                : socket.sendDatagrams(
                        packets.buffer(), packets.offset(), packets.packetBytes(), packets.count(), packets.stamps());
    }

    @Override
    public int receive(ReceiveBatch into) throws IOException {
        return socket.receiveDatagrams(into.packets(), into.strideBytes(), into.room(), busyPollNs, into.metadata());
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
