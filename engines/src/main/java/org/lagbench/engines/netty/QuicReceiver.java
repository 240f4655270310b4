package org.lagbench.engines.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicCodecBuilder;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.SideConfig;

/** Accepts QUIC connections with one stream each, and presents a certificate made for the run. */
final class QuicReceiver extends ChannelReceiver {
    /** The application protocol (ALPN) of both sides. */
    static final String PROTOCOL = "lagbench";

    /** How many bytes a side may send ahead of the other's reads, in a stream and in a connection. */
    private static final long WINDOW_BYTES = 1 << 20;

    private final RunCertificate certificate;
    private final ChannelGroup connections;
    private final Channel datagrams;

    private QuicReceiver(SideConfig run, EventLoopGroup eventLoop) throws IOException, LagbenchException {
        super(run, NettyIo.NIO, eventLoop, "QUIC");
        certificate = RunCertificate.create();
        connections = new DefaultChannelGroup(eventLoop.next());
        QuicSslContext tls = QuicSslContextBuilder.forServer(certificate.key(), null, certificate.certificate())
                .applicationProtocols(PROTOCOL)
                .build();
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop)
                .channel(io.datagrams)
                .handler(configured(new QuicServerCodecBuilder().sslContext(tls))
                        .handler(new Connections())
                        .streamHandler(new Streams())
                        .build());
        NettyIo.requestBuffer(SocketBuffer.RECEIVE, run.settings(), bootstrap);
        datagrams = NettyIo.bind(bootstrap, run);
        NettyIo.openPath(datagrams, run);
    }

    static QuicReceiver open(SideConfig run) throws IOException, LagbenchException {
        return NettyIo.NIO.open(eventLoop -> new QuicReceiver(run, eventLoop));
    }

    /** Sets what both sides of a connection offer. There is no idle timeout: the control connection has one. */
    static <B extends QuicCodecBuilder<B>> B configured(B codec) {
        return codec.initialMaxData(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalLocal(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalRemote(WINDOW_BYTES)
                .initialMaxStreamsBidirectional(1);
    }

    private final class Connections extends ChannelInitializer<QuicChannel> {
        @Override
        protected void initChannel(QuicChannel connection) {
            connections.add(connection);
        }
    }

    private final class Streams extends ChannelInitializer<QuicStreamChannel> {
        @Override
        protected void initChannel(QuicStreamChannel stream) {
            stream.pipeline().addLast(new Stream());
        }
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
        announced.put(RunCertificate.FINGERPRINT, certificate.fingerprint());
        return announced;
    }

    @Override
    protected InetSocketAddress local() {
        return (InetSocketAddress) datagrams.localAddress();
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        io.putBuffer(SocketBuffer.RECEIVE, datagrams, run.settings(), into);
        into.put("sharedStamps", true);
    }

    @Override
    protected void release() {
        endReceive();
        connections.close().awaitUninterruptibly(NettyIo.CLOSE_TIMEOUT_MS);
        NettyIo.end(eventLoop, datagrams);
    }
}
