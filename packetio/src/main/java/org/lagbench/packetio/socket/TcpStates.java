package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.Retransmissions;

/**
 * Reads the states of one TCP connection, and what it has retransmitted, through a separate file descriptor.
 * Thread-safe.
 */
public final class TcpStates implements AutoCloseable {
    // Guarded by this, so that no closed descriptor is read.
    private @Nullable LinuxSocket socket;

    private final long[] values = new long[Retransmissions.VALUES];
    private @Nullable Retransmissions last;
    private boolean closed;

    /** Begins to read a connection, if this machine and JVM can. */
    public synchronized void open(NetworkChannel connection) throws LagbenchException, IOException {
        if (!closed && LinuxSockets.unavailableReason() == null) {
            socket = LinuxSockets.open(connection);
        }
    }

    /** Begins to read the connection with an open file descriptor, if this machine can. */
    public synchronized void open(int descriptor) throws LagbenchException, IOException {
        if (!closed && LinuxSockets.unavailableReason() == null) {
            socket = LinuxSockets.openStream(descriptor);
        }
    }

    /** Reads the state of the connection; see {@link org.lagbench.packetio.transport.TransferSender#readState}. */
    public synchronized boolean read(long[] values, int from) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        } else if (socket == null) {
            return false;
        }
        socket.readTcpState(values, from);
        return true;
    }

    /** Returns what the connection has retransmitted until now, or until it was closed; null if nothing is known. */
    public synchronized @Nullable Retransmissions retransmissions() {
        if (socket != null && !closed) {
            try {
                socket.readRetransmissions(values);
                last = Retransmissions.of(values);
            } catch (IOException e) {
                return last; // the kernel reports no more of this connection
            }
        }
        return last;
    }

    /** Releases the descriptor, after a last reading of the retransmissions. */
    @Override
    public synchronized void close() {
        if (socket != null && !closed) {
            retransmissions();
            socket.close();
        }
        closed = true;
    }
}
