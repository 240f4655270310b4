package org.lagbench.engines.javanet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PortReceiver;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.socket.StreamPackets;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.TransferSender;

/** Receives from a socket's input stream. Packets that one read completed share the stamp taken just after it. */
final class StreamReceiver extends PortReceiver {
    private static final int BACKLOG = 64;

    private final SenderAcceptor acceptor;
    private final StreamFramer framer;
    private final InetSocketAddress local;
    private final boolean usesCallersThread;
    private volatile @Nullable Socket connection;

    /** Metadata of the last connection of transfers. */
    private volatile Map<String, Object> lastConnection = Map.of();

    private StreamReceiver(SideConfig run, ServerSocket listening, ThreadFactory threads, boolean usesCallersThread) {
        super(run);
        this.acceptor = new SenderAcceptor(listening, run.tag(), threads, run.hasTransfers());
        Arrival arrival = run.isAnswered() ? this::reply : Arrival.RECEIVED;
        this.framer = new StreamPackets(run, "sender", arrival, ByteBuffer::allocate);
        this.local = (InetSocketAddress) listening.getLocalSocketAddress();
        this.usesCallersThread = usesCallersThread;
    }

    /**
     * Opens a receiver at the run's address.
     *
     * @param threads create the threads of connections that are not yet identified
     * @param usesCallersThread whether the receiving thread is a platform thread
     */
    static StreamReceiver open(SideConfig run, ThreadFactory threads, boolean usesCallersThread)
            throws IOException, LagbenchException {
        InetSocketAddress any = DataPort.listening(run).address();
        ServerSocket listening = new ServerSocket();
        try {
            // connections inherit the size and the TCP window
            SocketBuffer.RECEIVE.request(run.settings(), listening::setReceiveBufferSize);
            listening.bind(any, BACKLOG);
            return new StreamReceiver(run, listening, threads, usesCallersThread);
        } catch (IOException e) {
            Sockets.close(listening);
            throw e;
        }
    }

    @Override
    protected InetSocketAddress local() {
        return local;
    }

    @Override
    public boolean usesCallersThread() {
        return usesCallersThread;
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        long receivedNs;
        try {
            Socket open = connection;
            Socket sender = open == null ? accept(accounting) : open;
            if (sender == null || isClosed()) {
                Sockets.close(sender);
                return END;
            }
            boolean hasMore = read(sender, framer);
            receivedNs = RealtimeClock.nowNs();
            if (!hasMore) {
                return run.hasTransfers() ? endConnection(sender) : END;
            }
        } catch (IOException e) {
            if (isClosed()) {
                return END;
            }
            throw new IOException("Receiving over TCP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
        try {
            int framed = framer.frame(accounting, receivedNs);
            if (framer.hasCompletedTransfer()) {
                replyToTransfer();
            }
            return framed;
        } catch (IOException e) {
            if (isClosed()) {
                return END;
            }
            throw e;
        }
    }

    /** Reads bytes of a stream into the framer's buffer; returns false at the end of the stream. */
    static boolean read(Socket from, StreamFramer framer) throws IOException {
        ByteBuffer buffer = framer.buffer();
        int bytes = from.getInputStream()
                .read(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
        buffer.position(buffer.position() + Math.max(0, bytes));
        return bytes >= 0;
    }

    private @Nullable Socket accept(PacketAccounting accounting) throws IOException {
        Socket sender = acceptor.accept(accounting::countForeign);
        if (sender != null) {
            sender.setTcpNoDelay(run.settings().flag(MessageEngine.NO_DELAY)); // for the replies of this side
            run.putTag(framer.buffer().clear());
            framer.begin();
        }
        connection = sender;
        return sender;
    }

    /** Ends a connection of transfers, which the sender has ended. The next one may follow. */
    private int endConnection(Socket sender) throws IOException {
        Map<String, Object> metadata = new HashMap<>();
        putConnection(sender, metadata);
        lastConnection = metadata;
        connection = null;
        Sockets.close(sender);
        return 0;
    }

    private void replyToTransfer() throws IOException {
        Socket sender = connection;
        if (sender != null) {
            sender.getOutputStream().write(new byte[TransferSender.REPLY_BYTES]);
        }
    }

    /** Sends a packet back with the stamp of its reply, and returns that stamp. */
    private long reply(ByteBuffer packets, int offset, long mediumStamp) throws IOException {
        Socket sender = connection;
        if (sender == null) {
            throw new IOException("there is no sender to answer");
        }
        long repliedNs = PacketLayout.stamp(packets, offset, run.packetBytes());
        try {
            sender.getOutputStream().write(packets.array(), packets.arrayOffset() + offset, run.packetBytes());
        } catch (IOException e) {
            throw new IOException("Answering over TCP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
        return repliedNs;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        Socket sender = connection;
        if (sender == null) {
            into.putAll(lastConnection);
        } else {
            putConnection(sender, into);
        }
        framer.putMetadata(into);
    }

    private void putConnection(Socket sender, Map<String, Object> into) throws IOException {
        SocketBuffer.RECEIVE.putMetadata(sender.getReceiveBufferSize(), run.settings(), into);
        ConnectionFacts.ofRemote(DataPort.text(sender.getRemoteSocketAddress())).putInto(into);
        CallFacts.ofStamps(true).putInto(into);
    }

    @Override
    protected void release() {
        acceptor.close();
        Sockets.close(connection);
    }
}
