package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.ReceiveBatch;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketIo;
import org.lagbench.packetio.socket.SocketPacketReceiver;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.TransferFramer;
import org.lagbench.packetio.transport.TransferSender;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Receives transfers over the sender's connections, one after the other, and answers each transfer when its last piece
 * was received. Pieces are the packets of the run; those that one read completed share the stamp taken just after it.
 */
final class TcpTransferReceiver extends SocketPacketReceiver {
    private static final int BACKLOG = 64;

    private final ServerSocketChannel listening;
    private final TransferFramer pieces;
    private final ReceiveBatch batch;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(TransferSender.ANSWER_BYTES);
    private @Nullable SenderAcceptor acceptor;

    /** Whether the receiving thread waits for a connection; guarded by {@link #lifecycle}. */
    private boolean isAccepting;

    /** Metadata of the current connection, or of the last one. */
    private volatile Map<String, Object> connectionMetadata = Map.of();

    private volatile @Nullable SocketChannel connection;
    private @Nullable SocketIo io;

    private TcpTransferReceiver(
            TransportRun run, IoSettings ioSettings, ServerSocketChannel listening, TransferFramer pieces)
            throws IOException {
        super(run, ioSettings, listening);
        this.listening = listening;
        this.pieces = pieces;
        this.batch = ReceiveBatch.ofStream(pieces.bufferBytes());
    }

    /**
     * Opens a receiver and its port.
     *
     * @param pieces cuts the streams into pieces; closed if this fails
     */
    static TcpTransferReceiver open(TransportRun run, IoSettings ioSettings, TransferFramer pieces)
            throws LagbenchException {
        DataPort local = DataPort.ephemeral(run.host());
        ServerSocketChannel listening = null;
        try {
            listening = ServerSocketChannel.open(local.family());
            SocketBuffer.RECEIVE.request(listening, run.settings()); // connections inherit the size and the TCP window
            listening.bind(local.address(), BACKLOG);
            return new TcpTransferReceiver(run, ioSettings, listening, pieces);
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(listening);
            closeFramer(pieces, e);
            throw cannotOpen("Cannot listen for TCP connections", run, e);
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
                pieces.close();
            }
        }
    }

    private static void closeFramer(TransferFramer framer, Exception failure) {
        try {
            framer.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private int receiveSome(PacketAccounting accounting) throws IOException {
        try {
            SocketIo open = io == null ? accept(accounting) : io;
            if (open == null) {
                return END;
            }
            int before = batch.packets().position();
            if (open.receive(batch) == SocketIo.END) {
                return end();
            }
            int bytes = batch.packets().position() - before;
            if (pieces.frame(batch.packets(), bytes, accounting, batch.receivedNs(0))) {
                open.reply(answer, 0, TransferSender.ANSWER_BYTES);
                noteConnection();
            }
            return 0;
        } catch (ClosedChannelException e) {
            return END;
        } catch (IOException e) {
            throw new IOException("Receiving over TCP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
    }

    /** Closes the current connection after the sender ended it. Returns {@link #END} if this receiver was closed. */
    private int end() {
        synchronized (lifecycle) {
            if (isClosed()) {
                return END;
            }
            noteConnection();
            SocketIo open = io;
            if (open != null) {
                open.close();
            }
            Sockets.close(connection);
            connection = null;
            io = null;
            return 0;
        }
    }

    private @Nullable SocketIo accept(PacketAccounting accounting) throws IOException {
        SenderAcceptor accepting;
        synchronized (lifecycle) {
            if (isClosed()) {
                return null;
            }
            accepting = acceptor == null ? new SenderAcceptor(listening, run.tag()) : acceptor;
            acceptor = accepting;
            isAccepting = true;
        }
        SocketChannel sender = null;
        try {
            sender = accepting.accept(accounting::countForeign);
        } finally {
            synchronized (lifecycle) {
                isAccepting = false;
                if (sender == null) {
                    accepting.close();
                }
            }
        }
        return sender == null ? null : open(sender);
    }

    private @Nullable SocketIo open(SocketChannel sender) throws IOException {
        synchronized (lifecycle) {
            if (isClosed()) {
                Sockets.close(sender);
                return null;
            }
            connection = sender; // from now on close() releases it
            batch.packets().clear().putLong(run.tag()); // the acceptor has already read the first packet's tag
            pieces.begin(batch.packets());
            try {
                io = openIo(sender);
            } catch (LagbenchException e) {
                throw new IOException(e.sentence(), e);
            }
            noteConnection();
            return io;
        }
    }

    private void noteConnection() {
        SocketChannel sender = connection;
        Map<String, Object> metadata = new HashMap<>();
        try {
            if (sender != null) {
                SocketBuffer.RECEIVE.putMetadata(sender, run.settings(), metadata);
                metadata.put("remoteAddress", DataPort.text(sender.getRemoteAddress()));
                connectionMetadata = metadata;
            }
        } catch (IOException e) {
            connectionMetadata = Map.of("factsFailure", "the kernel reports no metadata: " + IoErrors.reason(e));
        }
    }

    /** Returns 0: TCP retransmits what the kernel drops. */
    @Override
    public long kernelDrops() {
        return 0;
    }

    @Override
    protected NetworkChannel socket() {
        return listening;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) {
        into.put("sharedStamps", true);
        pieces.putMetadata(into);
        into.putAll(connectionMetadata);
    }

    @Override
    protected void closeSockets() {
        SenderAcceptor accepting = acceptor;
        if (accepting == null) {
            super.closeSockets();
        } else if (isAccepting) {
            accepting.cancel(); // the receiving thread then closes it
        } else {
            close(accepting);
        }
        Sockets.close(connection);
    }

    private static void close(SenderAcceptor acceptor) {
        try {
            acceptor.close();
        } catch (IOException e) {
            return; // the kernel releases the descriptors even if close(2) fails
        }
    }
}
