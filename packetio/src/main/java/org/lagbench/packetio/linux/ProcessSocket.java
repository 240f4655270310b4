package org.lagbench.packetio.linux;

import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.SocketIo;

/** A UDP socket of another process, which stays open until this is closed. Thread-safe. */
public final class ProcessSocket implements AutoCloseable {
    private static final int NONE = -1;

    private int fd;

    private ProcessSocket(int fd) {
        this.fd = fd;
    }

    /**
     * Finds a socket. Where it is not accessible, its count of {@link #drops} is unknown.
     *
     * @param process the ID of a child of this process
     * @param port the port that the socket is bound to
     */
    public static ProcessSocket find(long process, int port) {
        try {
            LinuxSockets.load();
            return new ProcessSocket(Math.max(NONE, NativeSocket.openOfProcess(process, port)));
        } catch (LagbenchException e) {
            return new ProcessSocket(NONE);
        }
    }

    /** Returns as {@link LinuxSocket#drops}; {@link SocketIo#UNKNOWN} also if the socket is not accessible. */
    public synchronized long drops() {
        return fd == NONE ? SocketIo.UNKNOWN : Math.max(SocketIo.UNKNOWN, NativeSocket.drops(fd));
    }

    @Override
    public synchronized void close() {
        if (fd != NONE) {
            NativeSocket.close(fd);
            fd = NONE;
        }
    }
}
