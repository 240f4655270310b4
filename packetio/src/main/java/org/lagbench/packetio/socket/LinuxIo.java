package org.lagbench.packetio.socket;

import org.lagbench.packetio.linux.LinuxSocket;

/** Sends and receives by system calls. */
abstract class LinuxIo implements SocketIo {
    final LinuxSocket socket;
    final long busyPollNs;

    LinuxIo(LinuxSocket socket, long busyPollNs) {
        this.socket = socket;
        this.busyPollNs = busyPollNs;
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
