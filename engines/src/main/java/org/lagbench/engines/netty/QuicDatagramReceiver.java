package org.lagbench.engines.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.engines.message.PushReceiver;
import org.lagbench.packetio.transport.DatagramReads;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Receives datagrams of QUIC (RFC 9221) of any connection, stamped when Netty passes them on; those of another size or
 * run are foreign.
 */
final class QuicDatagramReceiver extends PushReceiver {
    private final QuicSocket socket;
    private final ByteBuffer packet;

    private QuicDatagramReceiver(SideConfig run, EventLoopGroup eventLoop) throws IOException, LagbenchException {
        super(run);
        receiveIn(NettyIo.threadOf(eventLoop)); // before a packet makes it wait for the run
        packet = ByteBuffer.allocate(run.packetBytes());
        socket = new QuicSocket(
                run, eventLoop, connection -> connection.pipeline().addLast(new Datagrams()), stream -> {});
    }

    static QuicDatagramReceiver open(SideConfig run) throws IOException, LagbenchException {
        return NettyIo.NIO.open(eventLoop -> new QuicDatagramReceiver(run, eventLoop));
    }

    private final class Datagrams extends SimpleChannelInboundHandler<ByteBuf> {
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
        into.put("sharedStamps", false);
    }

    @Override
    protected void release() {
        endReceive();
        socket.close();
    }
}
