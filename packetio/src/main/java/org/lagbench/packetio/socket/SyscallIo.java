package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.linux.LinuxSocket;

/**
 * Sends and receives by one system call per packet. One JNI call makes the system calls for all packets of a batch; C
 * reads the clock around each.
 */
final class SyscallIo extends LinuxIo {
    SyscallIo(LinuxSocket socket, long busyPollNs) {
        super(socket, busyPollNs);
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        return socket.sendEach(
                packets.buffer(),
                packets.offset(),
                packets.packetBytes(),
                packets.count(),
                packets.prefixBytesSent(),
                packets.stamps());
    }

    @Override
    public int receive(ReceiveBatch into) throws IOException {
        if (socket.isStream()) {
            return receiveStream(into);
        }
        return into.capacity() == 1
                ? socket.receiveDatagrams(into.packets(), into.strideBytes(), 1, busyPollNs, into.metadata())
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
}
