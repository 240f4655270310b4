package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;

/** Reads the states of one TCP connection through a separate file descriptor. Thread-safe. */
public final class TcpStates implements AutoCloseable {
    // Guarded by this, so that no closed descriptor is read.
    private @Nullable LinuxSocket socket;
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

    @Override
    public synchronized void close() {
        closed = true;
        if (socket != null) {
            socket.close();
        }
    }
}
