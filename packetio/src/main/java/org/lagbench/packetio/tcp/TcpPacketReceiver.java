package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.ReceiveBatch;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketIo;
import org.lagbench.packetio.socket.SocketPacketReceiver;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Waits for the sender to connect, then frames its stream by the packets' size. Packets that one read completed share
 * the stamp taken just after it.
 */
final class TcpPacketReceiver extends SocketPacketReceiver {
    private static final int MINIMUM_READ_BYTES = 1 << 16;
    private static final int BACKLOG = 64;

    private final ServerSocketChannel listening;
    private final ReceiveBatch batch;

    /**
     * With kernel stamps a read takes at most one packet, because the kernel stamps only the last segment of a read.
     */
    private final boolean readsOnePacket;

    private long packets;
    private @Nullable SenderAcceptor acceptor;
    private volatile @Nullable SocketChannel connection;
    private volatile @Nullable SocketIo io;

    private TcpPacketReceiver(TransportRun run, IoSettings ioSettings, ServerSocketChannel listening)
            throws IOException {
        super(run, ioSettings, listening);
        this.listening = listening;
        this.batch = ReceiveBatch.ofStream(Math.max(MINIMUM_READ_BYTES, run.packetBytes()));
        this.readsOnePacket = run.stages() != null;
    }

    static TcpPacketReceiver open(TransportRun run, IoSettings ioSettings) throws LagbenchException {
        DataPort local = DataPort.ephemeral(run.host());
        ServerSocketChannel listening = null;
        try {
            listening = ServerSocketChannel.open(local.family());
            SocketBuffer.RECEIVE.request(listening, run.settings()); // connections inherit it, and scale their window
            listening.bind(local.address(), BACKLOG);
            return new TcpPacketReceiver(run, ioSettings, listening);
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(listening);
            throw cannotOpen("Cannot listen for TCP connections", run, e);
        }
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        try {
            SocketIo open = io == null ? accept(accounting) : io;
            if (open == null) {
                return END;
            }
            if (readsOnePacket) {
                batch.packets().limit(run.packetBytes());
            }
            if (open.receive(batch) == SocketIo.END) {
                return END;
            }
        } catch (ClosedChannelException e) {
            return END;
        } catch (IOException e) {
            throw new IOException("Receiving over TCP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
        return frame(accounting);
    }

    private int frame(PacketAccounting accounting) throws IOException {
        ByteBuffer buffer = batch.packets();
        long receivedNs = batch.receivedNs(0);
        long kernelNs = batch.kernelNs(0);
        int end = buffer.position();
        int offset = 0;
        int framed = 0;
        for (; end - offset >= run.packetBytes(); offset += run.packetBytes()) {
            if (PacketLayout.tag(buffer, offset) != run.tag()) {
                accounting.countForeign();
                throw new IOException("The TCP stream from the sender is corrupt: after " + (packets + framed)
                        + " packets of " + run.packetBytes() + " bytes the next does not begin with the run's tag.");
            }
            accounting.packet(buffer, offset, receivedNs, kernelNs);
            framed++;
        }
        if (offset > 0) {
            buffer.limit(end).position(offset);
            buffer.compact();
        }
        packets += framed;
        return framed;
    }

    private @Nullable SocketIo accept(PacketAccounting accounting) throws IOException {
        SenderAcceptor accepting;
        synchronized (lifecycle) {
            if (isClosed()) {
                return null;
            }
            accepting = new SenderAcceptor(listening, run.tag());
            acceptor = accepting;
        }
        try {
            return open(accepting.accept(accounting));
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
            batch.packets().putLong(run.tag()); // the acceptor has read these bytes of the first packet
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
        return sender == null ? listening : sender;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        SocketChannel sender = connection;
        if (sender != null) {
            into.put("remoteAddress", DataPort.text(sender.getRemoteAddress()));
            into.put("sharedStamps", !readsOnePacket);
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
