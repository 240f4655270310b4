package org.lagbench.packetio.socket;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.transport.SocketIo;

public final class Sockets {
    private Sockets() {}

    /** Closes a socket, if not null, and ignores failures. */
    public static void close(@Nullable Closeable socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            return; // the kernel releases the descriptor even if close(2) fails
        }
    }

    /** Closes monitor and I/O, if not null. A run that was aborted keeps the stages recorded so far. */
    static void close(@Nullable SocketMonitor monitor, @Nullable SocketIo io) {
        try {
            if (monitor != null) {
                monitor.close();
            }
        } catch (IOException e) {
            // ignored: a complete run has called endStages, which reports the failure
        }
        if (io != null) {
            io.close();
        }
    }
}
