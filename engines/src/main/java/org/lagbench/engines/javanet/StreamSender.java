package org.lagbench.engines.javanet;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.engines.message.SocketSettings;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;
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
    protected void open(InetSocketAddress address, Map<String, String> announced) throws IOException {
        OptionalLong sendBuffer = SocketBuffer.SEND.requestedBytes(run.settings());
        if (sendBuffer.isPresent()) {
            socket.setSendBufferSize(Math.toIntExact(sendBuffer.getAsLong()));
        }
        socket.setTcpNoDelay(run.settings().flag(SocketSettings.NO_DELAY));
        connectStartNs = RealtimeClock.nowNs();
        socket.connect(address, CONNECT_TIMEOUT_MS);
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

    /** Returns the receiver of the answers, which come on the same connection. */
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

    /** Returns false: {@code java.net.Socket} hides its file descriptor. */
    @Override
    public boolean readState(long[] values, int from) {
        return false;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        SocketBuffer.SEND.putMetadata(socket.getSendBufferSize(), run.settings(), into);
        into.put("localAddress", DataPort.text(socket.getLocalSocketAddress()));
        into.put("noDelay", socket.getTcpNoDelay());
    }

    @Override
    protected void release() {
        SenderAcceptor.close(socket);
    }
}
