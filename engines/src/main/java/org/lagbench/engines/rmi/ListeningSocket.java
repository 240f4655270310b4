package org.lagbench.engines.rmi;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIServerSocketFactory;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.lagbench.core.model.Settings;
import org.lagbench.packetio.socket.SocketBuffer;

/** The port of a receiver's calls, bound to the run's address before RMI requests it. */
final class ListeningSocket implements RMIServerSocketFactory, AutoCloseable {
    private static final int BACKLOG = 64;

    private final Set<Socket> accepted = ConcurrentHashMap.newKeySet();
    private final ServerSocket socket;

    ListeningSocket(InetSocketAddress address, Settings settings) throws IOException {
        socket = new Accepting();
        try {
            OptionalLong receiveBuffer = SocketBuffer.RECEIVE.requestedBytes(settings);
            if (receiveBuffer.isPresent()) { // connections inherit the size and the TCP window
                socket.setReceiveBufferSize(Math.toIntExact(receiveBuffer.getAsLong()));
            }
            socket.bind(address, BACKLOG);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Keeps the accepted connections, which RMI itself would leave open. */
    private final class Accepting extends ServerSocket {
        Accepting() throws IOException {}

        @Override
        public Socket accept() throws IOException {
            Socket connection = super.accept();
            accepted.removeIf(Socket::isClosed);
            accepted.add(connection);
            if (isClosed()) {
                connection.close();
            }
            return connection;
        }
    }

    InetSocketAddress local() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Returns the granted size in bytes, as the JDK reports it. */
    int receiveBufferBytes() throws IOException {
        return socket.getReceiveBufferSize();
    }

    @Override
    public ServerSocket createServerSocket(int port) {
        return socket;
    }

    /** Closes the port and its connections. */
    @Override
    public void close() {
        try {
            socket.close();
            for (Socket connection : accepted) {
                connection.close();
            }
        } catch (IOException e) {
            return; // the kernel releases the descriptor even if close(2) fails
        }
    }
}
