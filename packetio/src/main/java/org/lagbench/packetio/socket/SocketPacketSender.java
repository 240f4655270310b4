package org.lagbench.packetio.socket;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketErrorCounts;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SendBatch;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketIo;

/**
 * A sender over a socket that {@link #connect} opens. It sends each packet by its own call, or several by one. The
 * kernel delivers packets that were sent also after {@link #close()}.
 *
 * <p>The packets of one call share two stamps, taken just before and just after it. Packets that the call did not send
 * are stamped again for the next.
 *
 * @param <S> the type of the socket
 */
public abstract class SocketPacketSender<S extends NetworkChannel> extends PortSender {
    /** Linux limits queued stamps to the size of the receive buffer; each takes about 768 bytes. */
    private static final int STAMPS_BUFFER_BYTES = 1 << 22;

    /** How its packets are sent and received. */
    protected final IoSettings ioSettings;

    private final SendBatch packets;
    private final Object opening = new Object();
    private volatile @Nullable S socket;
    private volatile @Nullable SocketIo io;
    private volatile @Nullable ReplyReceiver replies;
    private @Nullable SenderCapture capture;
    private volatile @Nullable SocketMonitor monitor;

    /** @param batchSize maximum number of packets prepared before they are sent */
    protected SocketPacketSender(SideConfig run, IoSettings ioSettings, int batchSize) {
        super(run);
        this.ioSettings = ioSettings;
        this.packets = new SendBatch(run.tag(), run.packetBytes(), batchSize, ioSettings.sharesStamps());
    }

    /** Opens a socket, which is unconnected unless the receiver connects. */
    protected abstract S open(ProtocolFamily family) throws IOException;

    /**
     * Connects the socket, unless the receiver has connected it. Called after the size of the send buffer was set.
     *
     * @throws LagbenchException if a setting cannot be applied
     */
    protected abstract void connect(S socket, InetSocketAddress address) throws IOException, LagbenchException;

    /** Sends the beginning of the first packet if it must be sent ahead of time, and returns its size in bytes. */
    protected int sendPrefix(S socket) throws IOException {
        return 0;
    }

    /** Returns the key of a packet's kernel stamps from the number of packets sent before it. */
    protected abstract long stampKey(long packetsBefore);

    /** Returns the message for a call that failed to send. */
    protected abstract String sendFailure(String address, IOException failure);

    protected abstract PacketFramer replyFramer();

    /** Adds metadata of the connected socket other than its buffer and addresses. */
    protected void putMetadata(S connectedSocket, Map<String, Object> into) throws IOException {}

    /** Releases what {@link #connect} opened besides the socket. */
    protected void closeOther() {}

    @Override
    protected final void open(DataPort port, Map<String, String> announced) throws IOException, LagbenchException {
        S opened = openUnlessClosed(port.family());
        SocketBuffer.SEND.request(opened, run.settings());
        if (run.isAnswered()) {
            SocketBuffer.RECEIVE.request(opened, run.settings());
        }
        if (run.recordsTimestamps()) {
            opened.setOption(StandardSocketOptions.SO_RCVBUF, STAMPS_BUFFER_BYTES);
        }
        if (run.listensAt() == null) {
            Sockets.bindToDevice(opened, run);
            Sockets.bindSender(opened, run);
        }
        connect(opened, port.address());
        if (run.recordsTimestamps()) {
            monitor = SocketMonitor.ofSender(opened, run);
        }
        packets.prefixSent(sendPrefix(opened));
        io = ioSettings.openSender(opened, run.packetBytes());
    }

    private S openUnlessClosed(ProtocolFamily family) throws IOException {
        synchronized (opening) {
            if (isClosed()) {
                throw new ClosedChannelException();
            }
            S opened = open(family);
            socket = opened;
            return opened;
        }
    }

    @Override
    public final void send(long sequence, long scheduledNs, SenderCapture into) throws IOException {
        capture = into;
        packets.prepare(sequence, scheduledNs);
        if (packets.isFull()) {
            push();
        }
    }

    @Override
    public final void push() throws IOException {
        SenderCapture into = capture;
        while (packets.count() > 0 && into != null) {
            write(into);
        }
    }

    private void write(SenderCapture into) throws IOException {
        SocketIo open = io;
        if (open == null) {
            packets.drop();
            throw isClosed() ? new ClosedChannelException() : new IOException("The sender is not connected.");
        }
        int taken;
        try {
            taken = open.send(packets);
        } catch (IOException e) {
            packets.drop();
            throw isClosed() ? e : new IOException(sendFailure(receiver(), e), e);
        }
        packets.sent(taken, into);
    }

    /** Sends a packet of any size at once, as {@link SocketIo#sendPacket} does. */
    protected final void sendPacket(ByteBuffer packet, int prefixBytesSent, long[] stamps, int from)
            throws IOException {
        SocketIo open = io;
        if (open == null) {
            throw new ClosedChannelException();
        }
        try {
            open.sendPacket(packet, prefixBytesSent, stamps, from);
        } catch (IOException e) {
            throw isClosed() ? e : new IOException(sendFailure(receiver(), e), e);
        }
    }

    @Override
    public final PacketReceiver openReplies(long timeoutNs) throws IOException, LagbenchException {
        synchronized (opening) {
            S open = socket;
            if (open == null || isClosed()) {
                throw new ClosedChannelException();
            }
            SocketIo replyIo = ioSettings.openReceiver(open, false);
            ReplyReceiver opened = new ReplyReceiver(replyIo, replyFramer());
            replies = opened;
            if (timeoutNs > 0) {
                replyIo.limitReceive(timeoutNs);
            }
            return opened;
        }
    }

    @Override
    public final void flush() throws IOException {
        push();
    }

    @Override
    public final void endSocketRecord() throws IOException {
        SocketMonitor open = monitor;
        if (open != null) {
            open.close();
        }
    }

    @Override
    protected final void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        S open = socket;
        if (open != null) {
            SocketBuffer.SEND.putMetadata(open, run.settings(), into);
            ConnectionFacts.ofLocal(DataPort.text(open.getLocalAddress())).putInto(into);
            CallFacts.of(packets.packetsPerCall(), ioSettings.sharesStamps()).putInto(into);
            SocketMonitor openMonitor = monitor;
            if (openMonitor != null) {
                into.put(KernelCapture.FIRST_KEY_NAME, stampKey(run.phases().warmUp()));
                into.put("kernelStampsWithoutRoom", openMonitor.unrecordedStamps());
            }
            putErrors(into);
            putMetadata(open, into);
        }
    }

    private void putErrors(Map<String, Object> into) {
        PacketErrorCounts errors = new PacketErrorCounts();
        SocketIo open = io;
        if (open != null) {
            open.addErrors(errors);
        }
        ReplyReceiver opened = replies;
        if (opened != null) {
            opened.replyIo.addErrors(errors);
        }
        errors.putMetadata(into);
    }

    @Override
    protected final void release() {
        closeOther(); // before the lock, because it ends an open() that waits for the receiver
        synchronized (opening) {
            ReplyReceiver open = replies;
            if (open != null) {
                open.close();
            }
            Sockets.close(monitor, io);
            Sockets.close(socket);
        }
    }

    /** Receives the replies at the socket that sends the packets. The sender is closed first. */
    private final class ReplyReceiver implements PacketReceiver {
        private final SocketIo replyIo;
        private final PacketFramer framer;

        ReplyReceiver(SocketIo replyIo, PacketFramer framer) {
            this.replyIo = replyIo;
            this.framer = framer;
        }

        @Override
        public int receive(PacketAccounting accounting) throws IOException {
            try {
                int received = framer.receive(replyIo, accounting);
                if (received == SocketIo.END && !isClosed()) {
                    throw new EOFException("it closed the connection");
                }
                return received;
            } catch (ClosedChannelException e) {
                return END;
            } catch (ProtocolException e) {
                throw e;
            } catch (IOException e) {
                throw new IOException(sendFailure(receiver(), e), e);
            }
        }

        @Override
        public long kernelDrops() {
            return replyIo.drops();
        }

        @Override
        public void close() {
            replyIo.close();
        }
    }
}
