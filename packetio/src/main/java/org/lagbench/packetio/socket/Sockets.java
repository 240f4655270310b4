package org.lagbench.packetio.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.SideConfig;
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

    /** Binds the socket of a side that connects to the address and port that the user named, if any. */
    public static void bindSender(NetworkChannel socket, SideConfig run) throws IOException, LagbenchException {
        InetSocketAddress local = DataPort.connecting(run);
        if (local != null) {
            if (run.transport().wire().isStream()) {
                socket.setOption(StandardSocketOptions.SO_REUSEADDR, true); // the port may have ended connections
            }
            socket.bind(local);
        }
    }

    /** Binds a socket to the network interface that the user named, if any. */
    public static void bindToDevice(NetworkChannel socket, SideConfig run) throws IOException, LagbenchException {
        String device = run.local().device();
        if (device != null) {
            try (LinuxSocket linuxSocket = LinuxSockets.open(socket)) {
                linuxSocket.bindToDevice(device);
            }
        }
    }

    /**
     * Makes the kernel drop what other hosts than the admitted ones send to a socket, before a library can read it. A
     * gateway that passes packets on sends them from its own address, which only its user knows: then all are admitted.
     *
     * @param socket not bound yet; the connections that it accepts do the same
     */
    public static void admit(NetworkChannel socket, SideConfig run) throws IOException, LagbenchException {
        if (DataPort.via(run.settings()) == null) {
            LinuxSockets.admit(socket, run.admittedHosts());
        }
    }

    /** The same for an open file descriptor. */
    public static void admit(int descriptor, SideConfig run) throws IOException, LagbenchException {
        if (DataPort.via(run.settings()) == null) {
            LinuxSockets.admit(descriptor, run.admittedHosts());
        }
    }

    /** Closes monitor and I/O, if not null. A run that was aborted keeps the stamps recorded so far. */
    static void close(@Nullable SocketMonitor monitor, @Nullable SocketIo io) {
        try {
            if (monitor != null) {
                monitor.close();
            }
        } catch (IOException e) {
            // ignored: a complete run has called endSocketRecord, which reports the failure
        }
        if (io != null) {
            io.close();
        }
    }
}
