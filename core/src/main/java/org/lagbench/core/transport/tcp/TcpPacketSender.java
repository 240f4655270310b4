package org.lagbench.core.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.lagbench.core.transport.TransportRun;
import org.lagbench.core.transport.ip.Reason;
import org.lagbench.core.transport.ip.SocketPacketSender;
import org.lagbench.core.transport.ip.Sysctl;

/**
 * Sends over a TCP connection.
 *
 * <p>The receiver knows the sender by the first 8 bytes of the stream, which are the first packet's tag. They are written
 * when the connection is made, so that it is known at once and not only when the first packet is due.
 */
final class TcpPacketSender extends SocketPacketSender<SocketChannel> {
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    /** The algorithm of every connection for which nobody chose another, which Java cannot. */
    private static final String CONGESTION_CONTROL = "net.ipv4.tcp_congestion_control";

    private final TransportRun run;
    private int bytesSentAhead;

    TcpPacketSender(TransportRun run) {
        super(run);
        this.run = run;
    }

    @Override
    protected SocketChannel open(ProtocolFamily family) throws IOException {
        return SocketChannel.open(family);
    }

    @Override
    protected void connect(SocketChannel socket, InetSocketAddress address) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, run.settings().flag(TcpTransport.NO_DELAY));
        socket.socket().connect(address, CONNECT_TIMEOUT_MS);
    }

    @Override
    protected void greet(SocketChannel socket) throws IOException {
        write(socket, ByteBuffer.allocateDirect(Long.BYTES).putLong(run.tag()).flip());
        bytesSentAhead = Long.BYTES;
    }

    @Override
    protected long stampKey(long packetsBefore) {
        return (packetsBefore + 1) * run.packetBytes() - 1;
    }

    @Override
    protected void write(SocketChannel socket, ByteBuffer packet) throws IOException {
        packet.position(packet.position() + bytesSentAhead);
        bytesSentAhead = 0;
        do {
            socket.write(packet);
        } while (packet.hasRemaining());
    }

    @Override
    protected String unreachable(String address, String reason) {
        return "No TCP connection to the receiver's data port " + address + ": " + reason
                + ". Is there a firewall on the way?";
    }

    @Override
    protected String broken(String address, IOException failure) {
        return "The receiver " + address + " ended the TCP connection: " + Reason.of(failure);
    }

    @Override
    protected void putFacts(SocketChannel connectedSocket, Map<String, Object> into) throws IOException {
        into.put("noDelay", connectedSocket.getOption(StandardSocketOptions.TCP_NODELAY));
        Sysctl.text(CONGESTION_CONTROL).ifPresent(algorithm -> into.put("congestionControl", algorithm));
    }
}
