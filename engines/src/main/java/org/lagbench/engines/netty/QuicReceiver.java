package org.lagbench.engines.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.quic.QuicChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.DatagramReads;
import org.lagbench.packetio.transport.SideConfig;

/** Accepts QUIC connections with one stream each. */
final class QuicReceiver extends ChannelReceiver {
    private final QuicSocket socket;

    private QuicReceiver(SideConfig run, EventLoopGroup eventLoop) throws IOException, LagbenchException {
        super(run, NettyIo.NIO, eventLoop, "QUIC");
        socket = new QuicSocket(
                run, eventLoop, connection -> {}, stream -> stream.pipeline().addLast(new Stream()));
    }

    static QuicReceiver open(SideConfig run) throws IOException, LagbenchException {
        return NettyIo.NIO.open(eventLoop -> new QuicReceiver(run, eventLoop));
    }

    /** Does nothing: other connections share the socket with the sender's. */
    @Override
    protected void stopListening() {}

    @Override
    protected void putSender(Channel stream, Map<String, Object> into) {
        if (stream.parent() instanceof QuicChannel connection) {
            into.put("remoteAddress", DataPort.text(connection.remoteSocketAddress()));
        }
    }

    @Override
    public Map<String, String> announce() {
        Map<String, String> announced = new HashMap<>(super.announce());
        announced.putAll(socket.announced());
        return announced;
    }

    @Override
    public DatagramReads datagramReads() {
        return socket.reads();
    }

    @Override
    protected InetSocketAddress local() {
        return socket.local();
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        socket.putMetadata(into);
        into.put("sharedStamps", true);
    }

    @Override
    protected void release() {
        endReceive();
        socket.close();
    }
}
