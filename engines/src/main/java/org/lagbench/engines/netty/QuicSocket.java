package org.lagbench.engines.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicCodecBuilder;
import io.netty.handler.codec.quic.QuicCongestionControlAlgorithm;
import io.netty.handler.codec.quic.QuicConnectionIdGenerator;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.DatagramMarks;
import org.lagbench.packetio.transport.SideConfig;

/** The socket at which a receiver accepts QUIC connections, with a certificate made for the run. */
final class QuicSocket {
    /** The application protocol (ALPN) of both sides. */
    static final String PROTOCOL = "lagbench";

    /** How many bytes a side may send ahead of the other's reads, in a stream and in a connection. */
    private static final long WINDOW_BYTES = 1 << 20;

    /** The payload of a UDP datagram in an Ethernet frame with IPv4, from which both sides' QUIC packets are cut. */
    static final int UDP_PAYLOAD_BYTES = 1_472;

    /** Datagrams that wait in a connection, before it may send them or until they are read; others are dropped. */
    private static final int QUEUE_DATAGRAMS = 1_024;

    /**
     * The fewest bytes of a short header: the flags, a connection ID, whose size is Netty's, and one byte of the packet
     * number, which has at most four (RFC 9000, section 17.3.1).
     */
    static final int LEAST_HEADER_BYTES =
            1 + QuicConnectionIdGenerator.randomGenerator().maxConnectionIdLength() + 1;

    /** The bytes of a datagram before its mark, which is encrypted: those of the longest short header. */
    static final int MARK_OFFSET = LEAST_HEADER_BYTES + 3;

    private final LongAdder packetsRead = new LongAdder();
    private final LongAdder datagramsRead = new LongAdder();
    private final DatagramMarks reads = new DatagramMarks(MARK_OFFSET);
    private final SideConfig run;
    private final EventLoopGroup eventLoop;
    private final RunCertificate certificate;
    private final ChannelGroup connections;
    private final Channel datagrams;

    /**
     * Opens the socket.
     *
     * @param onConnection sets the handlers of a new connection
     * @param onStream sets the handlers of a new stream
     */
    QuicSocket(
            SideConfig run,
            EventLoopGroup eventLoop,
            Consumer<QuicChannel> onConnection,
            Consumer<QuicStreamChannel> onStream)
            throws IOException, LagbenchException {
        this.run = run;
        this.eventLoop = eventLoop;
        certificate = RunCertificate.create();
        connections = new DefaultChannelGroup(eventLoop.next());
        QuicSslContext tls = QuicSslContextBuilder.forServer(certificate.key(), null, certificate.certificate())
                .applicationProtocols(PROTOCOL)
                .build();
        ChannelHandler codec = configured(new QuicServerCodecBuilder().sslContext(tls), run)
                .handler(new ChannelInitializer<QuicChannel>() {
                    @Override
                    protected void initChannel(QuicChannel connection) {
                        connections.add(connection);
                        onConnection.accept(connection);
                    }
                })
                .streamHandler(new ChannelInitializer<QuicStreamChannel>() {
                    @Override
                    protected void initChannel(QuicStreamChannel stream) {
                        onStream.accept(stream);
                    }
                })
                .build();
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop)
                .channelFactory(NettyIo.NIO.receiver(run))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel socket) {
                        socket.pipeline().addLast(new Reads(), codec);
                    }
                });
        NettyIo.requestBuffer(SocketBuffer.RECEIVE, run.settings(), bootstrap);
        datagrams = NettyIo.bind(bootstrap, run);
        NettyIo.openPath(datagrams, run);
    }

    /** Records each datagram before Netty passes on what is in it. */
    private final class Reads extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf datagram = ((DatagramPacket) message).content();
            if (datagram.readableBytes() >= MARK_OFFSET + Integer.BYTES) {
                reads.add(datagram.getInt(datagram.readerIndex() + MARK_OFFSET));
                int packets = QuicSender.packets(datagram, run.packetBytes());
                packetsRead.add(packets);
                datagramsRead.add(Math.min(packets, 1));
            }
            context.fireChannelRead(message);
        }
    }

    /** Returns how many packets a datagram with packets had, on average; 1 in a stream. */
    double packetsPerDatagram() {
        return QuicEngine.sendsDatagrams(run.settings()) && datagramsRead.sum() > 0
                ? packetsRead.doubleValue() / datagramsRead.doubleValue()
                : 1;
    }

    /** Returns the record of the datagrams that were read. */
    DatagramMarks reads() {
        return reads;
    }

    /** Sets what both sides of a connection offer. There is no idle timeout: the control connection has one. */
    static <B extends QuicCodecBuilder<B>> B configured(B codec, SideConfig run) {
        codec.congestionControlAlgorithm(
                switch (run.settings().word(QuicEngine.CONGESTION_CONTROL)) {
                    case "reno" -> QuicCongestionControlAlgorithm.RENO;
                    case "bbr" -> QuicCongestionControlAlgorithm.BBR;
                    default -> QuicCongestionControlAlgorithm.CUBIC;
                });
        if (QuicEngine.sendsDatagrams(run.settings())) {
            codec.datagram(QUEUE_DATAGRAMS, QUEUE_DATAGRAMS)
                    .maxSendUdpPayloadSize(UDP_PAYLOAD_BYTES)
                    .maxRecvUdpPayloadSize(UDP_PAYLOAD_BYTES);
        }
        return codec.initialMaxData(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalLocal(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalRemote(WINDOW_BYTES)
                .initialMaxStreamsBidirectional(1);
    }

    /** Returns the announcement of the certificate's fingerprint, by which the sender trusts it. */
    Map<String, String> announced() {
        return Map.of(RunCertificate.FINGERPRINT, certificate.fingerprint());
    }

    InetSocketAddress local() {
        return (InetSocketAddress) datagrams.localAddress();
    }

    void putMetadata(Map<String, Object> into) throws IOException {
        NettyIo.NIO.putBuffer(SocketBuffer.RECEIVE, datagrams, run.settings(), into);
    }

    void closeConnections() {
        connections.close().awaitUninterruptibly(NettyIo.CLOSE_TIMEOUT_MS);
    }

    /** Closes the connections, the socket and the event loop. */
    void close() {
        closeConnections();
        NettyIo.end(eventLoop, datagrams);
    }
}
