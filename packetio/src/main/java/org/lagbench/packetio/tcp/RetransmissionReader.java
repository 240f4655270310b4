package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.Retransmissions;

/** Reads what a connection has sent again, through a separate file descriptor. Thread-safe. */
final class RetransmissionReader implements AutoCloseable {
    private final long[] values = new long[LinuxSocket.RETRANSMISSIONS_VALUES];
    private @Nullable LinuxSocket socket;
    private @Nullable Retransmissions last;
    private boolean closed;

    /** Opens the connection's socket, unless this machine or JVM hides it; then nothing is known. */
    synchronized void open(SocketChannel connection) throws LagbenchException, IOException {
        if (!closed && LinuxSockets.unavailableReason() == null) {
            socket = LinuxSockets.open(connection);
        }
    }

    /** Returns the current state, or the last one once closed; null if nothing is known. */
    synchronized @Nullable Retransmissions read() {
        LinuxSocket open = socket;
        if (open != null) {
            try {
                open.readRetransmissions(values);
                last = Retransmissions.of(values);
            } catch (IOException e) {
                return last; // the kernel reports no more of this connection
            }
        }
        return last;
    }

    @Override
    public synchronized void close() {
        closed = true;
        LinuxSocket open = socket;
        if (open != null) {
            read();
            socket = null;
            open.close();
        }
    }
}
