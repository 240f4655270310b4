package org.lagbench.engines.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicConnectionStats;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.engines.message.ReplyQueue;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.DatagramMarks;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Sends over the only stream of a QUIC connection, or in its datagrams, to the receiver with the announced certificate.
 */
final class QuicSender extends ChannelSender {
    /** Time for the first packet and two retransmissions after 1 and 3 s (RFC 9002, section 6.2). */
    private static final int QUIC_CONNECT_TIMEOUT_MS = 5_000;

    /** The fewest bytes of a UDP datagram around the packets in it: those before, and the tag of the encryption. */
    private static final int AROUND_PACKETS_BYTES = QuicSocket.LEAST_HEADER_BYTES + 16;

    /** The type and the length before each packet (RFC 9221, section 4), as the library writes them. */
    private static final int FRAME_HEADER_BYTES = 3;

    private volatile @Nullable IOException unreachable;
    private volatile @Nullable Channel datagrams;
    private volatile @Nullable QuicChannel connection;
    private final boolean sendsDatagrams;
    private final boolean hasOwnDatagrams; // no two packets fit into one datagram of UDP
    private final DatagramMarks marks = new DatagramMarks(QuicSocket.MARK_OFFSET);
    private final DatagramErrors errors = new DatagramErrors();
    private long written;

    /** The packets in datagrams of UDP. */
    private final LongAdder carried = new LongAdder();

    /** The datagrams of UDP that carried packets. */
    private final LongAdder carriers = new LongAdder();

    /** @param introduces whether the stream begins with the run's tag; else with the first packet */
    QuicSender(SideConfig run, boolean introduces) throws LagbenchException {
        super(
                run,
                NettyIo.NIO,
                QuicEngine.sendsDatagrams(run.settings()) ? new ReplyQueue(run) : ReplyQueue.ofStream(run),
                introduces && !QuicEngine.sendsDatagrams(run.settings()),
                PathOpening.listen(run));
        sendsDatagrams = QuicEngine.sendsDatagrams(run.settings());
        hasOwnDatagrams = sendsDatagrams && 2 * run.packetBytes() > QuicEngine.MAXIMUM_DATAGRAM_BYTES;
    }

    @Override
    protected Channel openChannel(InetSocketAddress address, Map<String, String> announced)
            throws IOException, LagbenchException {
        RunCertificate.Announced trusted =
                new RunCertificate.Announced(announced.getOrDefault(RunCertificate.FINGERPRINT, ""));
        QuicSslContext tls = QuicSslContextBuilder.forClient()
                .trustManager(trusted)
                .endpointIdentificationAlgorithm(null) // the certificate is known by its fingerprint
                .applicationProtocols(QuicSocket.PROTOCOL)
                .build();
        ChannelHandler codec = QuicSocket.configured(new QuicClientCodecBuilder().sslContext(tls), run)
                .build();
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop)
                .channel(io.datagrams)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel socket) {
                        socket.pipeline().addLast(new Unreachable(), new Writes(), codec);
                    }
                });
        NettyIo.requestBuffer(SocketBuffer.SEND, run.settings(), bootstrap);
        ChannelFuture connectingSocket =
                io.connect(bootstrap, run, address, opening); // only a connected socket reports a closed port
        await(connectingSocket);
        datagrams = connectingSocket.channel();
        int timeoutMs = Patience.ofMs(QUIC_CONNECT_TIMEOUT_MS); // both sides compute the handshake
        Future<QuicChannel> connecting = QuicChannel.newBootstrap(connectingSocket.channel())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMs)
                .handler(sendsDatagrams ? new Observer() : new FailedConnection())
                .streamHandler(new ChannelInboundHandlerAdapter())
                .remoteAddress(connectingSocket.channel().remoteAddress())
                .connect();
        try {
            await(connecting);
        } catch (IOException e) {
            throwIfRefused(trusted, address, e);
            throw connectFailure(e, timeoutMs);
        }
        QuicChannel connected = connecting.getNow();
        connection = connected;
        if (sendsDatagrams) {
            return connected;
        }
        Future<QuicStreamChannel> streaming = connected.createStream(QuicStreamType.BIDIRECTIONAL, new Observer());
        await(streaming);
        return streaming.getNow();
    }

    private static QuicConnectionStats statistics(QuicChannel of) throws IOException {
        Future<QuicConnectionStats> collecting = of.collectStats();
        await(collecting);
        return collecting.getNow();
    }

    @Override
    protected ChannelFuture write(Channel to, Object message, ChannelFutureListener recorder) {
        written++;
        return super.write(to, message, recorder);
    }

    /**
     * Adds the counts of QUIC's packets. A write of a datagram succeeds also if it is dropped because the queue is
     * full; so the datagrams that QUIC did not put into a packet until the receiver closed the connection were not
     * sent.
     */
    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        QuicChannel open = connection;
        if (open != null) {
            putStatistics(statistics(open), into); // first: they are known also after the receiver has closed
        }
        super.putMetadata(into);
        errors.putMetadata(into);
    }

    private void putStatistics(QuicConnectionStats counted, Map<String, Object> into) {
        into.put("quicPacketsLost", counted.lost());
        if (!sendsDatagrams) {
            into.put("quicPacketsRetransmitted", counted.retrans());
        } else {
            into.put("quicPacketsNotSent", written - carried.sum());
        }
    }

    @Override
    public double packetsPerDatagram() {
        return carriers.sum() == 0 ? 1 : carried.doubleValue() / carriers.doubleValue();
    }

    /** Returns null for a stream, which may send older packets again, and for packets that share a datagram. */
    @Override
    public @Nullable DatagramMarks datagramMarks() {
        return hasOwnDatagrams ? marks : null;
    }

    /**
     * Returns how many packets a datagram of UDP carries. All else that this side sends after the handshake is smaller
     * than one packet.
     */
    static int packets(ByteBuf datagram, int packetBytes) {
        boolean hasLongHeader = datagram.getByte(datagram.readerIndex()) < 0; // of the handshake
        return hasLongHeader
                ? 0
                : Math.max(0, datagram.readableBytes() - AROUND_PACKETS_BYTES) / (FRAME_HEADER_BYTES + packetBytes);
    }

    /** Counts the packets in each datagram, and its error; records a datagram that only one packet fits into. */
    private final class Writes extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            ByteBuf datagram = ((DatagramPacket) message).content();
            int packets = sendsDatagrams ? packets(datagram, run.packetBytes()) : 0;
            if (packets == 0) {
                super.write(context, message, promise);
                return;
            }
            carried.add(packets);
            carriers.increment();
            if (hasOwnDatagrams) {
                marks.add(datagram.getInt(datagram.readerIndex() + QuicSocket.MARK_OFFSET));
            }
            DatagramPacket kept = ((DatagramPacket) message).retain();
            super.write(
                    context,
                    message,
                    promise.unvoid()
                            .addListener(
                                    (ChannelFuture first) -> errors.finish(first, packets, kept, context, sent -> {})));
        }
    }

    /** Ends the run when the receiver's host reports that the UDP port is closed (ICMP port unreachable). */
    private final class Unreachable extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof PortUnreachableException) {
                IOException closed = new IOException("its UDP port is closed: the receiver has ended", cause);
                unreachable = closed;
                fail(closed);
                NettyIo.close(context.channel());
            } else {
                context.fireExceptionCaught(cause);
            }
        }
    }

    private IOException connectFailure(IOException failure, int timeoutMs) {
        IOException closed = unreachable;
        if (closed != null) {
            return closed;
        }
        return failure instanceof ConnectTimeoutException
                ? new IOException("no QUIC reply within " + timeoutMs / 1_000 + " s", failure)
                : failure;
    }

    private static void throwIfRefused(RunCertificate.Announced trusted, InetSocketAddress address, IOException cause)
            throws LagbenchException {
        String refused = trusted.refused();
        if (refused != null) {
            throw ExitCode.PEER.failure(
                    "The receiver at " + DataPort.text(address)
                            + " presented a different certificate from the one announced on the control connection"
                            + " (SHA-256 "
                            + refused
                            + "). Check whether another program or a proxy answers there.",
                    cause);
        }
    }

    @Override
    protected @Nullable Channel socket(Channel open) {
        return datagrams;
    }

    @Override
    protected void releaseChannels(@Nullable Channel open) {
        NettyIo.end(eventLoop, connection, datagrams);
    }
}
