package org.lagbench.engines.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.quic.QuicChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.DatagramMarks;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;

/** Accepts QUIC connections: with one stream each, or with datagrams (RFC 9221), which any of them may bring. */
final class QuicReceiver extends ChannelReceiver {
    private final QuicSocket socket;

    private QuicReceiver(SideConfig run, EventLoopGroup eventLoop) throws IOException, LagbenchException {
        super(run, NettyIo.NIO, eventLoop, "QUIC");
        socket = QuicEngine.sendsDatagrams(run.settings())
                ? new QuicSocket(
                        run, eventLoop, connection -> connection.pipeline().addLast(new Datagrams()), stream -> {})
                : new QuicSocket(
                        run,
                        eventLoop,
                        connection -> connection.pipeline().addLast(new FailedConnection()),
                        stream -> stream.pipeline().addLast(new Stream()));
    }

    static QuicReceiver open(SideConfig run) throws IOException, LagbenchException {
        return NettyIo.NIO.open(eventLoop -> new QuicReceiver(run, eventLoop));
    }

    /** Stamps datagrams when Netty passes them on; those of another size or run are foreign. */
    private final class Datagrams extends SimpleChannelInboundHandler<ByteBuf> {
        private final ByteBuffer packet = ByteBuffer.allocate(run.packetBytes());

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf datagram) {
            long receivedNs = RealtimeClock.nowNs();
            context.read(); // else Netty holds the next ones until it has read all that the socket has
            PacketAccounting accounting = accounting();
            if (datagram.readableBytes() != run.packetBytes()) {
                accounting.countForeign();
                return;
            }
            allocation.packet();
            datagram.readBytes(packet.clear());
            boolean isAnswered = run.isAnswered() && accounting.isOfRun(packet, 0);
            accounting.packet(packet, 0, receivedNs, isAnswered ? reply(context) : PacketAccounting.NO_STAMP);
        }

        /** Sends the packet back with the stamp of its reply, and returns that stamp. */
        private long reply(ChannelHandlerContext context) {
            long repliedNs = PacketLayout.stamp(packet, 0, run.packetBytes());
            ByteBuf copy = context.alloc().directBuffer(run.packetBytes()).writeBytes(packet.array());
            NettyIo.write(context.channel(), copy);
            return repliedNs;
        }

        /** A connection that fails sends nothing more; the sender says why. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            NettyIo.close(context);
        }
    }

    /** Closes connections without a stream, whose sender may hold packets; replies need theirs. */
    @Override
    public void refuseLatePackets() {
        if (QuicEngine.sendsDatagrams(run.settings()) && !run.isAnswered()) {
            socket.closeConnections();
        }
    }

    /** Does nothing: other connections share the socket with the sender's. */
    @Override
    protected void stopListening() {}

    @Override
    protected void putSender(Channel stream, Map<String, Object> into) {
        if (stream.parent() instanceof QuicChannel connection) {
            ConnectionFacts.ofRemote(DataPort.text(connection.remoteSocketAddress()))
                    .putInto(into);
        }
    }

    @Override
    public Map<String, String> announce() {
        Map<String, String> announced = new HashMap<>(super.announce());
        announced.putAll(socket.announced());
        return announced;
    }

    @Override
    public double packetsPerDatagram() {
        return socket.packetsPerDatagram();
    }

    @Override
    public DatagramMarks datagramMarks() {
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
        CallFacts.ofStamps(!QuicEngine.sendsDatagrams(run.settings())).putInto(into);
    }

    @Override
    protected void release() {
        endReceive();
        socket.close();
    }
}
