package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.Arrival;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketIo;
import org.lagbench.packetio.socket.SocketPacketReceiver;
import org.lagbench.packetio.socket.SocketStreamFramer;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Waits for the sender to connect, or connects to it, then frames its stream by the packets' size. Packets that one
 * read completed share the stamp taken just after it.
 */
final class TcpPacketReceiver extends SocketPacketReceiver {
    private static final int BACKLOG = 64;

    private static final int CONNECT_TIMEOUT_MS = 10_000;

    /** Null if this side has connected to the sender. */
    private final @Nullable ServerSocketChannel listening;

    private final NetworkChannel bound;
    private final SocketStreamFramer framer;
    private @Nullable SenderAcceptor acceptor;
    private volatile @Nullable SocketChannel connection;
    private volatile @Nullable SocketIo io;

    /** @param bound the listening socket, or the connection to the sender */
    private TcpPacketReceiver(TransportRun run, IoSettings ioSettings, NetworkChannel bound) throws IOException {
        super(run, ioSettings, bound);
        this.bound = bound;
        this.listening = bound instanceof ServerSocketChannel server ? server : null;
        this.framer = new SocketStreamFramer(run, "sender", Arrival.atReceiver(run));
    }

    static TcpPacketReceiver open(TransportRun run, IoSettings ioSettings) throws LagbenchException {
        DataPort local = DataPort.ephemeral(run.host());
        ServerSocketChannel listening = null;
        try {
            listening = ServerSocketChannel.open(local.family());
            SocketBuffer.RECEIVE.request(listening, run.settings()); // connections inherit the size and the TCP window
            listening.bind(local.address(), BACKLOG);
            return new TcpPacketReceiver(run, ioSettings, listening);
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(listening);
            throw cannotOpen("Cannot listen for TCP connections", run, e);
        }
    }

    /** Connects to a sender, and identifies this side by the run's tag. */
    static TcpPacketReceiver connect(TransportRun run, IoSettings ioSettings, DataPort sender)
            throws LagbenchException {
        SocketChannel connection = null;
        try {
            connection = SocketChannel.open(sender.family());
            SocketBuffer.RECEIVE.request(connection, run.settings());
            connection.socket().connect(sender.address(), CONNECT_TIMEOUT_MS); // afterwards in blocking mode again
            ByteBuffer tag = ByteBuffer.allocate(Long.BYTES).putLong(run.tag()).flip();
            while (tag.hasRemaining()) {
                connection.write(tag);
            }
            return new TcpPacketReceiver(run, ioSettings, connection);
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(connection);
            throw new LagbenchException(
                    ExitCode.PEER,
                    "Cannot connect to the sender's TCP data port " + sender + ": " + IoErrors.reason(e)
                            + ". Does a firewall block it?",
                    e);
        }
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        try {
            SocketIo open = io == null ? open(accounting) : io;
            if (open == null) {
                return END;
            }
            return framer.receive(open, accounting);
        } catch (ClosedChannelException e) {
            return END;
        } catch (ProtocolException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("Receiving over TCP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
    }

    private @Nullable SocketIo open(PacketAccounting accounting) throws IOException {
        if (bound instanceof SocketChannel sender) {
            return open(sender);
        }
        SocketChannel sender = accept(accounting);
        if (sender != null) {
            framer.addTag(); // the acceptor has already read the first packet's tag
        }
        return open(sender);
    }

    private @Nullable SocketChannel accept(PacketAccounting accounting) throws IOException {
        SenderAcceptor accepting;
        synchronized (lifecycle) {
            if (isClosed() || listening == null) {
                return null;
            }
            accepting = new SenderAcceptor(listening, run.tag());
            acceptor = accepting;
        }
        try {
            return accepting.accept(accounting::countForeign);
        } finally {
            synchronized (lifecycle) {
                acceptor = null;
            }
            accepting.close();
        }
    }

    private @Nullable SocketIo open(@Nullable SocketChannel sender) throws IOException {
        synchronized (lifecycle) {
            if (sender == null || isClosed()) {
                Sockets.close(sender);
                return null;
            }
            connection = sender; // from now on close() releases it
            if (run.isAnswered()) {
                SocketBuffer.SEND.request(sender, run.settings());
                sender.setOption(
                        StandardSocketOptions.TCP_NODELAY, run.settings().flag(TcpTransport.NO_DELAY));
            }
            try {
                SocketIo opened = openIo(sender);
                io = opened;
                return opened;
            } catch (LagbenchException e) {
                throw new IOException(e.sentence(), e);
            }
        }
    }

    /** Returns 0: TCP retransmits what the kernel drops. */
    @Override
    public long kernelDrops() {
        return 0;
    }

    @Override
    protected NetworkChannel socket() {
        SocketChannel sender = connection;
        return sender == null ? bound : sender;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        SocketChannel sender = connection;
        if (sender != null) {
            into.put("remoteAddress", DataPort.text(sender.getRemoteAddress()));
            into.put("sharedStamps", framer.sharesStamps());
        }
    }

    @Override
    protected void closeSockets() {
        if (acceptor != null) {
            acceptor.cancel(); // the receiving thread then closes the listening socket
        } else {
            super.closeSockets();
        }
        Sockets.close(connection);
    }
}
