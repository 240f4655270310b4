package org.lagbench.interfaces.javanet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.interfaces.message.MessageReceiver;
import org.lagbench.interfaces.message.SocketSettings;
import org.lagbench.interfaces.message.StreamFramer;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.StreamPackets;
import org.lagbench.packetio.transport.TransportRun;

/** Receives from a socket's input stream. Packets that one read completed share the stamp taken just after it. */
final class StreamReceiver extends MessageReceiver {
    private static final int BACKLOG = 64;

    private final SenderAcceptor acceptor;
    private final StreamFramer framer;
    private final InetSocketAddress local;
    private final boolean usesCallersThread;
    private volatile @Nullable Socket connection;

    private StreamReceiver(TransportRun run, ServerSocket listening, ThreadFactory threads, boolean usesCallersThread) {
        super(run);
        this.acceptor = new SenderAcceptor(listening, run.tag(), threads);
        this.framer = new StreamFramer(run, "sender", run.isAnswered() ? this::answer : StreamPackets.Arrival.RECEIVED);
        framer.begin(true);
        this.local = (InetSocketAddress) listening.getLocalSocketAddress();
        this.usesCallersThread = usesCallersThread;
    }

    /**
     * Opens a receiver at the run's address.
     *
     * @param threads create the threads of connections that are not yet identified
     * @param usesCallersThread whether the receiving thread is a platform thread
     */
    static StreamReceiver open(TransportRun run, ThreadFactory threads, boolean usesCallersThread)
            throws LagbenchException {
        InetSocketAddress any = DataPort.ephemeral(run.host()).address();
        ServerSocket listening = null;
        try {
            listening = new ServerSocket();
            OptionalLong receiveBuffer = SocketBuffer.RECEIVE.requestedBytes(run.settings());
            if (receiveBuffer.isPresent()) { // connections inherit the size and the TCP window
                listening.setReceiveBufferSize(Math.toIntExact(receiveBuffer.getAsLong()));
            }
            listening.bind(any, BACKLOG);
            return new StreamReceiver(run, listening, threads, usesCallersThread);
        } catch (IOException e) {
            SenderAcceptor.close(listening);
            throw cannotListen(run, e);
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
        int bytes;
        long receivedNs;
        try {
            Socket sender = connection;
            if (sender == null) {
                sender = acceptor.accept(accounting::countForeign);
                if (sender != null) {
                    sender.setTcpNoDelay(run.settings().flag(SocketSettings.NO_DELAY)); // of answers
                }
                connection = sender;
            }
            if (sender == null || isClosed()) {
                return END;
            }
            bytes = sender.getInputStream().read(framer.array(), framer.offset(), framer.room());
            receivedNs = RealtimeClock.nowNs();
            if (bytes < 0) {
                return END;
            }
        } catch (IOException e) {
            if (isClosed()) {
                return END;
            }
            throw new IOException("Receiving over TCP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
        try {
            return framer.frame(bytes, accounting, receivedNs);
        } catch (IOException e) {
            if (isClosed()) {
                return END;
            }
            throw e;
        }
    }

    /** Sends a packet back with the stamp of its answer, and returns that stamp. */
    private long answer(ByteBuffer packets, int offset) throws IOException {
        Socket sender = connection;
        if (sender == null) {
            throw new IOException("there is no sender to answer");
        }
        long repliedNs = RealtimeClock.nowNs();
        if (run.hasHeader()) {
            PacketLayout.putSentNs(packets, offset, repliedNs);
        }
        try {
            sender.getOutputStream().write(framer.array(), offset, run.packetBytes());
        } catch (IOException e) {
            throw new IOException("Answering over TCP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
        return repliedNs;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        Socket sender = connection;
        if (sender != null) {
            SocketBuffer.RECEIVE.putMetadata(sender.getReceiveBufferSize(), run.settings(), into);
            into.put("remoteAddress", DataPort.text(sender.getRemoteSocketAddress()));
            into.put("sharedStamps", true);
        }
    }

    @Override
    protected void release() {
        acceptor.close();
    }
}
