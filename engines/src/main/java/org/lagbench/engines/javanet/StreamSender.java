package org.lagbench.engines.javanet;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.engines.message.ReplyQueue;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Sends over a socket's output stream. The first packet's tag, by which the receiver identifies the sender, is sent at
 * once when the connection is established.
 */
final class StreamSender extends MessageSender implements TransferSender {
    private final Socket socket = new Socket();
    private final boolean introduces;
    private @Nullable OutputStream stream;
    private int sentAhead;
    private long connectStartNs = -1;
    private long connectedNs = -1;

    /** @param introduces whether the connection begins with the run's tag; else with the first packet */
    StreamSender(SideConfig run, boolean introduces) {
        super(run);
        this.introduces = introduces;
    }

    @Override
    protected void open(DataPort port, Map<String, String> announced) throws IOException {
        SocketBuffer.SEND.request(run.settings(), socket::setSendBufferSize);
        socket.setTcpNoDelay(run.settings().flag(MessageEngine.NO_DELAY));
        connectStartNs = RealtimeClock.nowNs();
        socket.connect(port.address(), connectTimeoutMs());
        connectedNs = RealtimeClock.nowNs();
        OutputStream opened = socket.getOutputStream();
        if (introduces) {
            opened.write(ByteBuffer.allocate(Long.BYTES).putLong(run.tag()).array());
            sentAhead = run.hasHeader() ? Long.BYTES : 0;
        }
        stream = opened;
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        OutputStream open = stream;
        if (open == null) {
            throw new IOException("the socket is not connected");
        }
        open.write(packet, sentAhead, packet.length - sentAhead);
        sentAhead = 0;
    }

    /** Returns the receiver of the replies, which come on the same connection. */
    @Override
    public PacketReceiver openReplies(long timeoutNs) {
        return new StreamReplies(run, socket);
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
    public long awaitReply() throws IOException {
        int bytes = socket.getInputStream().readNBytes(REPLY_BYTES).length;
        long answeredNs = RealtimeClock.nowNs();
        if (bytes < REPLY_BYTES) {
            throw new EOFException(
                    "The receiver " + run.host() + " ended the TCP connection before it answered the transfer.");
        }
        return answeredNs;
    }

    @Override
    public void finish() throws IOException {
        socket.shutdownOutput();
        socket.getInputStream().skip(Long.MAX_VALUE);
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        SocketBuffer.SEND.putMetadata(socket.getSendBufferSize(), run.settings(), into);
        ConnectionFacts.ofLocal(DataPort.text(socket.getLocalSocketAddress())).putInto(into);
        into.put("noDelay", socket.getTcpNoDelay());
    }

    @Override
    protected void release() {
        Sockets.close(socket);
    }

    /** Receives the replies on a sender's connection. The sender closes the connection. */
    static final class StreamReplies implements PacketReceiver {
        private final Socket connection;
        private final StreamFramer framer;
        private volatile boolean closed;

        StreamReplies(SideConfig run, Socket connection) {
            this.connection = connection;
            this.framer = ReplyQueue.framer(run);
        }

        @Override
        public int receive(PacketAccounting accounting) throws IOException {
            long answeredNs;
            try {
                boolean hasMore = StreamReceiver.read(connection, framer);
                answeredNs = RealtimeClock.nowNs();
                if (!hasMore) {
                    throw new EOFException("it closed the connection");
                }
            } catch (IOException e) {
                if (closed || connection.isClosed()) {
                    return END;
                }
                throw new IOException(
                        "The receiver " + DataPort.text(connection.getRemoteSocketAddress())
                                + " sends no more replies: " + IoErrors.reason(e),
                        e);
            }
            return framer.frame(accounting, answeredNs);
        }

        @Override
        public void close() {
            closed = true;
            Sockets.close(connection);
        }
    }
}
