package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lagbench.packetio.linux.LinuxSocket;

/** Sends and receives by system calls. */
abstract class LinuxIo implements SocketIo {
    final LinuxSocket socket;
    final long busyPollNs;

    private final ByteBuffer replyStamps =
            ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());

    LinuxIo(LinuxSocket socket, long busyPollNs) {
        this.socket = socket;
        this.busyPollNs = busyPollNs;
    }

    @Override
    public final void limitReceive(long timeoutNs) throws IOException {
        socket.limitReceive(timeoutNs);
    }

    @Override
    public final boolean awaitSender(long tag, int packetBytes) throws IOException {
        return socket.awaitSender(tag, packetBytes);
    }

    @Override
    public final long reply(ByteBuffer packets, int offset, int packetBytes) throws IOException {
        socket.sendEach(packets, offset, packetBytes, 1, 0, replyStamps);
        return replyStamps.getLong(0);
    }

    @Override
    public final long drops() {
        return socket.drops();
    }

    @Override
    public final void close() {
        socket.close();
    }
}
