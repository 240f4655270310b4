package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketIo;
import org.lagbench.packetio.transport.TransferSender;

/** Sends transfers over a TCP connection that this side opens. */
final class TcpTransferSender extends TcpPacketSender implements TransferSender {
    private final boolean introduces;
    private final ReceiveBatch reply = ReceiveBatch.ofStream(ByteBuffer.allocateDirect(REPLY_BYTES));
    private long connectStartNs = -1;
    private long connectedNs = -1;
    private volatile @Nullable SocketChannel connection;
    private volatile @Nullable SocketIo replies;

    /** @param introduces see {@link org.lagbench.packetio.transport.PacketTransport#openTransferSender} */
    TcpTransferSender(SideConfig run, IoSettings ioSettings, boolean introduces) {
        super(run, ioSettings, null);
        this.introduces = introduces;
    }

    @Override
    protected void connect(SocketChannel socket, InetSocketAddress address) throws IOException, LagbenchException {
        super.connect(socket, address);
        connection = socket;
        replies = ioSettings.openReceiver(socket, false);
    }

    /** Leaves the tag to the first piece: its acknowledgment would open the congestion window. */
    @Override
    protected int sendPrefix(SocketChannel socket) throws IOException {
        return introduces ? super.sendPrefix(socket) : 0;
    }

    @Override
    protected void establish(SocketChannel socket, InetSocketAddress address) throws IOException {
        connectStartNs = RealtimeClock.nowNs();
        super.establish(socket, address);
        connectedNs = RealtimeClock.nowNs();
    }

    @Override
    public long connectStartNs() {
        return connectStartNs;
    }

    @Override
    public long connectedNs() {
        return connectedNs;
    }

    @Override
    public void sendPiece(ByteBuffer piece, int skippedBytes, long[] stamps, int from) throws IOException {
        sendPacket(piece, skippedBytes, stamps, from);
    }

    @Override
    public long awaitReply() throws IOException {
        ByteBuffer bytes = reply.packets().clear();
        while (bytes.hasRemaining()) {
            if (!receive()) {
                throw isClosed()
                        ? new ClosedChannelException()
                        : new IOException("The receiver " + run.host()
                                + " ended the TCP connection before it answered the transfer.");
            }
        }
        return reply.receivedNs(0);
    }

    /** Receives bytes of a reply. Returns false at the end of the connection or once closed. */
    private boolean receive() throws IOException {
        SocketIo open = replies;
        try {
            return open != null && open.receive(reply) != SocketIo.END;
        } catch (IOException e) {
            throw isClosed()
                    ? e
                    : new IOException(
                            "The receiver " + run.host() + " ended the TCP connection: " + IoErrors.reason(e), e);
        }
    }

    @Override
    public void finish() throws IOException {
        SocketChannel open = connection;
        if (open != null) {
            open.shutdownOutput();
            do {
                reply.packets().clear();
            } while (receive());
        }
    }

    @Override
    public boolean readState(long[] values, int from) throws IOException {
        return states.read(values, from);
    }

    @Override
    protected void closeOther() {
        super.closeOther();
        SocketIo open = replies;
        if (open != null) {
            open.close();
        }
    }
}
