package org.lagbench.interfaces.javanet;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.interfaces.message.MessageSender;
import org.lagbench.interfaces.message.SocketSettings;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Sends over a socket's output stream. The first packet's tag, by which the receiver identifies the sender, is sent at
 * once when the connection is established.
 */
final class StreamSender extends MessageSender {
    private final Socket socket = new Socket();
    private @Nullable OutputStream stream;
    private int sentAhead;

    StreamSender(TransportRun run) {
        super(run);
    }

    @Override
    protected void open(InetSocketAddress address, Map<String, String> announced) throws IOException {
        OptionalLong sendBuffer = SocketBuffer.SEND.requestedBytes(run.settings());
        if (sendBuffer.isPresent()) {
            socket.setSendBufferSize(Math.toIntExact(sendBuffer.getAsLong()));
        }
        socket.setTcpNoDelay(run.settings().flag(SocketSettings.NO_DELAY));
        socket.connect(address, CONNECT_TIMEOUT_MS);
        OutputStream opened = socket.getOutputStream();
        opened.write(ByteBuffer.allocate(Long.BYTES).putLong(run.tag()).array());
        sentAhead = run.hasHeader() ? Long.BYTES : 0;
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
    public PacketReceiver openAnswers(long timeoutNs) {
        return new StreamAnswers(run, socket);
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
