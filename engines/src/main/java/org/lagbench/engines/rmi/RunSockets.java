package org.lagbench.engines.rmi;

import java.io.IOException;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Settings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.Sockets;

/**
 * Creates the sockets of a sender's calls. The receiver's stub contains an instance, which has only the run's tag: the
 * sender decides where the calls go, not the host and port in the stub.
 *
 * @param tag the run's tag
 */
record RunSockets(long tag) implements RMIClientSocketFactory, Serializable {
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    /** The open senders of this process, by the tag of their run. */
    private static final Map<Long, Target> TARGETS = new ConcurrentHashMap<>();

    /**
     * Where the calls of a run go.
     *
     * @param sockets those opened so far; guarded by this record's monitor
     */
    record Target(InetSocketAddress address, Settings settings, Set<Socket> sockets) {
        private Socket open() throws IOException {
            Socket socket = new Socket();
            try {
                SocketBuffer.SEND.request(settings, socket::setSendBufferSize);
                sockets.add(socket);
                socket.connect(address, CONNECT_TIMEOUT_MS);
                return socket;
            } catch (IOException e) {
                Sockets.close(socket);
                throw e;
            }
        }
    }

    /** Registers the receiver's address for the calls of a run until {@link #unregister}. */
    static void register(long tag, InetSocketAddress address, Settings settings) {
        TARGETS.put(tag, new Target(address, settings, ConcurrentHashMap.newKeySet()));
    }

    /** Returns the connection of the run's calls; null if there is none. */
    static @Nullable Socket connection(long tag) {
        Target target = TARGETS.get(tag);
        return target == null
                ? null
                : target.sockets().stream()
                        .filter(socket -> !socket.isClosed())
                        .findFirst()
                        .orElse(null);
    }

    /** Closes the connections of a run, and opens no more. */
    static void unregister(long tag) {
        Target target = TARGETS.remove(tag);
        if (target != null) {
            target.sockets().forEach(Sockets::close);
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        Target target = TARGETS.get(tag);
        if (target == null) {
            throw new IOException("the run has ended");
        }
        Socket socket = target.open();
        if (!TARGETS.containsKey(tag)) {
            Sockets.close(socket);
            throw new IOException("the run has ended");
        }
        return socket;
    }
}
