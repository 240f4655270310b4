package org.lagbench.packetio.socket;

import java.io.IOException;
import org.lagbench.packetio.linux.LinuxSocket;

/** Sends and receives several datagrams by one system call (sendmmsg, recvmmsg), which share its stamps. */
final class BatchIo implements SocketIo {
    private final LinuxSocket socket;
    private final long busyPollNs;

    BatchIo(LinuxSocket socket, long busyPollNs) {
        this.socket = socket;
        this.busyPollNs = busyPollNs;
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        return socket.sendDatagrams(
                packets.buffer(), packets.offset(), packets.packetBytes(), packets.count(), true, packets.stamps());
    }

    @Override
    public int receive(ReceiveBatch into) throws IOException {
        return socket.receiveDatagrams(
                into.packets(), into.strideBytes(), into.room(), true, busyPollNs, into.metadata());
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
