package org.lagbench.engines.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.PacketError;
import org.lagbench.engines.message.PushReceiver;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketDrops;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketErrorCounts;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;

/** Receives datagrams from any sender, stamped when Netty passes them on; those of another size are foreign. */
final class NettyDatagramReceiver extends PushReceiver {
    private final NettyIo io;
    private final EventLoopGroup eventLoop;
    private final Channel channel;
    private final SocketDrops drops;
    private volatile long dropsWhenClosed = SocketDrops.UNKNOWN;
    private final ByteBuffer packet;
    private final PacketErrorCounts errors = new PacketErrorCounts();

    /** Counts replies that were not sent: the socket is not connected, so that no error is of an earlier one. */
    private final ChannelFutureListener answered = this::countFailure;

    private NettyDatagramReceiver(SideConfig run, NettyIo io, EventLoopGroup eventLoop)
            throws IOException, LagbenchException {
        super(run);
        this.io = io;
        this.eventLoop = eventLoop;
        this.packet = ByteBuffer.allocate(run.packetBytes());
        receiveIn(NettyIo.threadOf(eventLoop)); // before a packet makes it wait for the run
        io.readOwnDatagram(eventLoop);
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop)
                .channelFactory(io.receiver(run))
                // a byte more than a packet, so that longer datagrams are recognized
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(run.packetBytes() + 1))
                .handler(new Datagrams());
        NettyIo.requestBuffer(SocketBuffer.RECEIVE, run.settings(), bootstrap);
        channel = NettyIo.bind(bootstrap, run);
        NettyIo.openPath(channel, run);
        drops = new SocketDrops((InetSocketAddress) channel.localAddress());
    }

    static NettyDatagramReceiver open(SideConfig run, NettyIo io) throws IOException, LagbenchException {
        return io.open(eventLoop -> new NettyDatagramReceiver(run, io, eventLoop));
    }

    private void countFailure(ChannelFuture write) {
        PacketError error = write.isSuccess() ? null : PacketError.of(NettyIo.reason(write.cause()));
        if (error != null) {
            errors.countFailed(error, 1);
        }
    }

    private final class Datagrams extends SimpleChannelInboundHandler<DatagramPacket> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket datagram) {
            long receivedNs = RealtimeClock.nowNs();
            ByteBuf content = datagram.content();
            PacketAccounting accounting = accounting();
            if (content.readableBytes() == run.packetBytes() && isAnswerable(datagram.sender())) {
                allocation.packet();
                content.readBytes(packet.clear());
                boolean isAnswered = run.isAnswered() && accounting.isOfRun(packet, 0);
                long repliedNs = isAnswered ? reply(context, datagram.sender()) : PacketAccounting.NO_STAMP;
                accounting.packet(packet, 0, receivedNs, repliedNs);
            } else {
                accounting.countForeign();
            }
        }

        private boolean isAnswerable(InetSocketAddress source) {
            InetAddress only = run.replyTo();
            return !run.isAnswered() || only == null || only.equals(source.getAddress());
        }

        /** Sends the packet back with the stamp of its reply, and returns that stamp. */
        private long reply(ChannelHandlerContext context, InetSocketAddress to) {
            long repliedNs = PacketLayout.stamp(packet, 0, run.packetBytes());
            ByteBuf copy = context.alloc().directBuffer(run.packetBytes()).writeBytes(packet.array());
            context.writeAndFlush(new DatagramPacket(copy, to)).addListener(answered);
            return repliedNs;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!isClosed()) {
                fail(new IOException(
                        "Receiving UDP on " + run.host() + " failed: " + IoErrors.reason(NettyIo.reason(cause)),
                        cause));
            }
        }
    }

    @Override
    protected InetSocketAddress local() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public long kernelDrops() {
        return isClosed() ? dropsWhenClosed : drops.count();
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        dropsWhenClosed = drops.count();
        io.putBuffer(SocketBuffer.RECEIVE, channel, run.settings(), into);
        CallFacts.ofStamps(false).putInto(into);
        errors.putMetadata(into);
    }

    @Override
    protected void release() {
        endReceive();
        NettyIo.end(eventLoop, channel);
    }
}
