package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketPacketReceiver;
import org.lagbench.packetio.socket.SocketStreamFramer;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketIo;

/**
 * Waits for the sender to connect, or connects to it, then frames its stream by the packets' size. Packets that one
 * read completed share the stamp taken just after it. In a run of transfers the sender may connect several times, one
 * connection after the other.
 */
final class TcpPacketReceiver extends SocketPacketReceiver {
    private static final int BACKLOG = 64;
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    /** Null if this side has connected to the sender. */
    private final @Nullable ServerSocketChannel listening;

    private final NetworkChannel bound;
    private final SocketStreamFramer framer;
    private @Nullable SenderAcceptor acceptor;

    /** Whether the receiving thread waits for a connection; guarded by {@link #lifecycle}. */
    private boolean isAccepting;

    /** Metadata of the last connection of transfers. */
    private volatile Map<String, Object> connectionMetadata = Map.of();

    private volatile @Nullable SocketChannel connection;
    private volatile @Nullable SocketIo io;

    /** @param bound the listening socket, or the connection to the sender */
    private TcpPacketReceiver(SideConfig run, IoSettings ioSettings, NetworkChannel bound, SocketStreamFramer framer)
            throws IOException {
        super(run, ioSettings, bound);
        this.bound = bound;
        this.listening = bound instanceof ServerSocketChannel server ? server : null;
        this.framer = framer;
    }

    /** Returns the framer that cuts the streams into the run's packets. */
    static SocketStreamFramer framer(SideConfig run) {
        return new SocketStreamFramer(run, "sender", run.isAnswered() ? null : Arrival.RECEIVED);
    }

    /**
     * Opens a receiver and its port.
     *
     * @param framer reads the streams; closed when receiving ends, or if this fails
     */
    static TcpPacketReceiver open(SideConfig run, IoSettings ioSettings, SocketStreamFramer framer)
            throws LagbenchException {
        DataPort local = DataPort.listening(run);
        ServerSocketChannel listening = null;
        try {
            listening = ServerSocketChannel.open(local.family());
            SocketBuffer.RECEIVE.request(listening, run.settings()); // connections inherit the size and the TCP window
            Sockets.bindToDevice(listening, run);
            listening.bind(local.address(), BACKLOG);
            return new TcpPacketReceiver(run, ioSettings, listening, framer);
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(listening);
            try {
                framer.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw cannotOpen("Cannot listen for TCP connections", run, e);
        }
    }

    /** Connects to a sender, and identifies this side by the run's tag. */
    static TcpPacketReceiver connect(SideConfig run, IoSettings ioSettings, DataPort sender) throws LagbenchException {
        SocketChannel connection = null;
        try {
            connection = SocketChannel.open(sender.family());
            SocketBuffer.RECEIVE.request(connection, run.settings());
            Sockets.bindToDevice(connection, run);
            Sockets.bindSender(connection, run);
            connection.socket().connect(sender.address(), CONNECT_TIMEOUT_MS); // afterwards in blocking mode again
            ByteBuffer tag = ByteBuffer.allocate(Long.BYTES).putLong(run.tag()).flip();
            while (tag.hasRemaining()) {
                connection.write(tag);
            }
            return new TcpPacketReceiver(run, ioSettings, connection, framer(run));
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(connection);
            throw ExitCode.PEER.failure(
                    "Cannot connect to the sender's TCP data port " + sender + ": " + IoErrors.reason(e)
                            + ". Does a firewall block it?",
                    e);
        }
    }

    /** Closes the framer after the last piece or an error, because only the receiving thread uses it. */
    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        boolean canContinue = false;
        try {
            int received = receiveSome(accounting);
            canContinue = received != END;
            return received;
        } finally {
            if (!canContinue) {
                framer.close();
            }
        }
    }

    private int receiveSome(PacketAccounting accounting) throws IOException {
        try {
            SocketIo open = io == null ? open(accounting) : io;
            if (open == null) {
                return END;
            }
            int received = framer.receive(open, accounting);
            return received == SocketIo.END && run.hasTransfers() ? endConnection(open) : received;
        } catch (ClosedChannelException e) {
            return END;
        } catch (ProtocolException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("Receiving over TCP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
    }

    /** Closes a connection of transfers after the sender ended it. Returns {@link #END} if this receiver was closed. */
    private int endConnection(SocketIo open) {
        synchronized (lifecycle) {
            if (isClosed()) {
                return END;
            }
            noteConnection();
            open.close();
            Sockets.close(connection);
            connection = null;
            io = null;
            return 0;
        }
    }

    private @Nullable SocketIo open(PacketAccounting accounting) throws IOException {
        if (bound instanceof SocketChannel sender) {
            return open(sender);
        }
        SocketChannel sender = accept(accounting);
        if (sender != null) {
            framer.begin(); // the acceptor has already read the first packet's tag
        }
        return open(sender);
    }

    private @Nullable SocketChannel accept(PacketAccounting accounting) throws IOException {
        SenderAcceptor accepting;
        synchronized (lifecycle) {
            if (isClosed() || listening == null) {
                return null;
            }
            accepting = acceptor == null ? new SenderAcceptor(listening, run.tag()) : acceptor;
            acceptor = accepting;
            isAccepting = true;
        }
        SocketChannel sender = null;
        try {
            sender = accepting.accept(accounting::countForeign);
            return sender;
        } finally {
            synchronized (lifecycle) {
                isAccepting = false;
                if (sender == null || !run.hasTransfers()) {
                    acceptor = null;
                    accepting.close();
                }
            }
        }
    }

    private @Nullable SocketIo open(@Nullable SocketChannel sender) throws IOException {
        synchronized (lifecycle) {
            if (sender == null || isClosed()) {
                Sockets.close(sender);
                return null;
            }
            connection = sender; // close() releases the connection from now on
            if (run.isAnswered()) {
                SocketBuffer.SEND.request(sender, run.settings());
                sender.setOption(
                        StandardSocketOptions.TCP_NODELAY, run.settings().flag(TcpTransport.NO_DELAY));
            }
            try {
                SocketIo opened = openIo(sender);
                io = opened;
                noteConnection();
                return opened;
            } catch (LagbenchException e) {
                throw new IOException(e.sentence(), e);
            }
        }
    }

    private void noteConnection() {
        SocketChannel sender = connection;
        Map<String, Object> metadata = new HashMap<>();
        try {
            if (sender != null && run.hasTransfers()) {
                SocketBuffer.RECEIVE.putMetadata(sender, run.settings(), metadata);
                ConnectionFacts.ofRemote(DataPort.text(sender.getRemoteAddress()))
                        .putInto(metadata);
                connectionMetadata = metadata;
            }
        } catch (IOException e) {
            connectionMetadata = Map.of("factsFailure", "the kernel reports no metadata: " + IoErrors.reason(e));
        }
    }

    @Override
    protected NetworkChannel socket() {
        SocketChannel sender = connection;
        return sender == null || run.hasTransfers() ? bound : sender;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        SocketChannel sender = connection;
        if (run.hasTransfers()) {
            CallFacts.ofStamps(true).putInto(into);
            framer.putMetadata(into);
            noteConnection();
            into.putAll(connectionMetadata);
        } else if (sender != null) {
            ConnectionFacts.ofRemote(DataPort.text(sender.getRemoteAddress())).putInto(into);
            CallFacts.ofStamps(framer.sharesStamps()).putInto(into);
        }
    }

    @Override
    protected void closeSockets() {
        SenderAcceptor accepting = acceptor;
        if (accepting == null) {
            super.closeSockets();
        } else if (isAccepting) {
            accepting.cancel(); // the receiving thread then closes it
        } else {
            Sockets.close(accepting);
        }
        Sockets.close(connection);
    }
}
