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
    private final ReceiveBatch answer = ReceiveBatch.ofStream(ByteBuffer.allocateDirect(REPLY_BYTES));
    private long connectStartNs = -1;
    private long connectedNs = -1;
    private volatile @Nullable SocketChannel connection;
    private volatile @Nullable SocketIo answers;

    /** @param introduces see {@link org.lagbench.packetio.transport.PacketTransport#openTransferSender} */
    TcpTransferSender(SideConfig run, IoSettings ioSettings, boolean introduces) {
        super(run, ioSettings, null);
        this.introduces = introduces;
    }

    @Override
    protected void connect(SocketChannel socket, InetSocketAddress address) throws IOException, LagbenchException {
        super.connect(socket, address);
        connection = socket;
        answers = ioSettings.openReceiver(socket, false);
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
        ByteBuffer bytes = answer.packets().clear();
        while (bytes.hasRemaining()) {
            if (!receive()) {
                throw isClosed()
                        ? new ClosedChannelException()
                        : new IOException("The receiver " + run.host()
                                + " ended the TCP connection before it answered the transfer.");
            }
        }
        return answer.receivedNs(0);
    }

    /** Receives bytes of an answer. Returns false at the end of the connection or once closed. */
    private boolean receive() throws IOException {
        SocketIo open = answers;
        try {
            return open != null && open.receive(answer) != SocketIo.END;
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
                answer.packets().clear();
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
        SocketIo open = answers;
        if (open != null) {
            open.close();
        }
    }
}
