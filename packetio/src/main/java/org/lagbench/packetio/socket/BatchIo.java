package org.lagbench.packetio.socket;

import java.io.IOException;
import org.lagbench.packetio.linux.LinuxSocket;

/**
 * Sends and receives several packets by one system call; they share its stamps. Uses sendmmsg and recvmmsg, or one
 * buffer: over TCP, and with UDP segmentation offload, by which the kernel splits and joins datagrams (UDP_SEGMENT,
 * UDP_GRO). Cannot receive a stream.
 */
final class BatchIo extends LinuxIo {
    BatchIo(LinuxSocket socket, long busyPollNs) {
        super(socket, busyPollNs);
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        return socket.joinsPackets()
                ? socket.sendJoined(
                        packets.buffer(),
                        packets.offset(),
                        packets.packetBytes(),
                        packets.count(),
                        packets.prefixBytesSent(),
                        packets.stamps())
                : socket.sendDatagrams(
                        packets.buffer(), packets.offset(), packets.packetBytes(), packets.count(), packets.stamps());
    }

    @Override
    public int receive(ReceiveBatch into) throws IOException {
        return socket.receiveDatagrams(
                into.packets(), into.strideBytes(), into.capacity(), busyPollNs, into.metadata());
    }
}
