package org.lagbench.engines.rmi;

import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.run.CallFacts;
import org.lagbench.engines.message.PushReceiver;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Exports a remote object at one port of the run's address. A packet is stamped when RMI has deserialized it and calls
 * the object. A serial filter refuses all classes except arrays of bytes of at most the packets' size.
 */
final class RmiReceiver extends PushReceiver {
    private final ListeningSocket listening;
    private final Sink sink = new Sink();
    private final String stub;

    private RmiReceiver(SideConfig run, ListeningSocket listening) throws IOException {
        super(run);
        this.listening = listening;
        InetSocketAddress local = listening.local();
        Remote exported = UnicastRemoteObject.exportObject(
                sink, local.getPort(), new RunSockets(run.tag()), listening, filter(run.packetBytes()));
        this.stub = Stub.text(exported);
    }

    static RmiReceiver open(SideConfig run) throws IOException, LagbenchException {
        setHostName(run.host());
        ListeningSocket listening = new ListeningSocket(DataPort.listening(run).address(), run.settings());
        try {
            return new RmiReceiver(run, listening);
        } catch (IOException e) {
            listening.close();
            throw e;
        }
    }

    /** Keeps RMI from looking up this host's name, which no side uses. */
    static void setHostName(String host) {
        String property = "java.rmi.server.hostname";
        if (System.getProperty(property) == null) {
            System.setProperty(property, host);
        }
    }

    private static ObjectInputFilter filter(int packetBytes) {
        return info -> {
            Class<?> type = info.serialClass();
            if (type == null) {
                return Status.UNDECIDED;
            }
            return type == byte[].class && info.arrayLength() <= packetBytes ? Status.ALLOWED : Status.REJECTED;
        };
    }

    /** The remote object. RMI calls it in the thread of the connection. */
    private final class Sink implements PacketSink {
        @Override
        public synchronized void accept(byte[] packet) {
            count(packet, RealtimeClock.nowNs(), PacketAccounting.NO_STAMP);
        }

        @Override
        public synchronized byte[] answer(byte[] packet) {
            long receivedNs = RealtimeClock.nowNs();
            long repliedNs = PacketLayout.stamp(ByteBuffer.wrap(packet), 0, packet.length);
            count(packet, receivedNs, repliedNs);
            return packet;
        }

        private void count(byte[] packet, long receivedNs, long repliedNs) {
            if (packet.length == 0) {
                receiveIn(PacketThread.current()); // the sender's first call, by its connection
            }
            if (isClosed() || packet.length == 0) {
                return;
            }
            PacketAccounting accounting = accounting();
            if (packet.length != run.packetBytes()) {
                accounting.countForeign();
                return;
            }
            allocation.packet();
            accounting.packet(ByteBuffer.wrap(packet), 0, run.packetBytes(), receivedNs, repliedNs);
        }

        /** Waits for the current call. Calls after this receiver was closed count no packets. */
        synchronized void awaitCall() {}
    }

    @Override
    protected InetSocketAddress local() {
        return listening.local();
    }

    @Override
    public Map<String, String> announce() {
        Map<String, String> announced = new HashMap<>(super.announce());
        announced.put(Stub.KEY, stub);
        return announced;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        SocketBuffer.RECEIVE.putMetadata(listening.receiveBufferBytes(), run.settings(), into);
        CallFacts.ofStamps(false).putInto(into);
    }

    @Override
    protected void release() {
        endReceive();
        try {
            UnicastRemoteObject.unexportObject(sink, true);
        } catch (NoSuchObjectException e) {
            throw new IllegalStateException(e);
        } finally {
            listening.close();
        }
        sink.awaitCall();
    }

    /** The port of a receiver's calls, bound to the run's address before RMI requests it. */
    static final class ListeningSocket implements RMIServerSocketFactory, AutoCloseable {
        private static final int BACKLOG = 64;

        private final Set<Socket> accepted = ConcurrentHashMap.newKeySet();
        private final ServerSocket socket;

        ListeningSocket(InetSocketAddress address, Settings settings) throws IOException {
            socket = new Accepting();
            try {
                // connections inherit the size and the TCP window
                SocketBuffer.RECEIVE.request(settings, socket::setReceiveBufferSize);
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
            Sockets.close(socket);
            accepted.forEach(Sockets::close);
        }
    }
}
