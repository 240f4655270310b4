package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.linux.LinuxSocket;

/**
 * Sends and receives by system calls, one a packet. A JNI call makes the system calls of all packets of a batch; C
 * reads the clock around each.
 */
final class SyscallIo implements SocketIo {
    private final LinuxSocket socket;
    private final long busyPollNs;

    SyscallIo(LinuxSocket socket, long busyPollNs) {
        this.socket = socket;
        this.busyPollNs = busyPollNs;
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        return socket.sendEach(
                packets.buffer(),
                packets.offset(),
                packets.packetBytes(),
                packets.count(),
                packets.bytesAhead(),
                packets.stamps());
    }

    @Override
    public int receive(ReceiveBatch into) throws IOException {
        if (socket.isStream()) {
            return receiveStream(into);
        }
        return into.room() == 1
                ? socket.receiveDatagrams(into.packets(), into.strideBytes(), 1, busyPollNs, into.metadata())
                : socket.receiveDatagramsEach(
                        into.packets(), into.strideBytes(), into.room(), busyPollNs, into.metadata());
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
    public long drops() {
        return socket.drops();
    }

    @Override
    public void close() {
        socket.close();
    }
}
