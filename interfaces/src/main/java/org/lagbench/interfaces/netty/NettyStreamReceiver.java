package org.lagbench.interfaces.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.interfaces.message.PushReceiver;
import org.lagbench.interfaces.message.StreamFramer;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.StreamPackets;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Accepts connections; the first one that begins with the run's tag is the sender's. Splits its stream into packets.
 * Packets of one read share the stamp taken when Netty passes the bytes on. The event loop's thread does all of this.
 */
final class NettyStreamReceiver extends PushReceiver {
    private static final int BACKLOG = 64;
    private static final int MAXIMUM_PENDING = 64;
    private static final int TIMEOUT_S = 5;

    private final NettyIo io;
    private final EventLoopGroup eventLoop;
    private final Channel listening;
    private final InetSocketAddress local;
    private final StreamFramer framer;

    /** Connections that have not yet sent a tag, oldest first. */
    private final Deque<Connection> pending = new ArrayDeque<>();

    private volatile @Nullable Channel sender;

    private NettyStreamReceiver(TransportRun run, NettyIo io, EventLoopGroup eventLoop)
            throws IOException, LagbenchException {
        super(run);
        this.io = io;
        this.eventLoop = eventLoop;
        this.framer = new StreamFramer(run, "sender", StreamPackets.Arrival.RECEIVED);
        framer.begin(true);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(eventLoop)
                .channel(io.server)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection.pipeline().addLast(new Connection());
                    }
                });
        OptionalLong receiveBuffer = SocketBuffer.RECEIVE.requestedBytes(run.settings());
        if (receiveBuffer.isPresent()) { // connections inherit the size and the TCP window
            bootstrap.option(ChannelOption.SO_RCVBUF, Math.toIntExact(receiveBuffer.getAsLong()));
        }
        ChannelFuture binding =
                bootstrap.bind(DataPort.ephemeral(run.host()).address()).awaitUninterruptibly();
        if (!binding.isSuccess()) {
            throw NettyIo.reason(binding.cause());
        }
        listening = binding.channel();
        local = (InetSocketAddress) listening.localAddress();
    }

    static NettyStreamReceiver open(TransportRun run, NettyIo io) throws LagbenchException {
        EventLoopGroup eventLoop = io.newEventLoop();
        try {
            return new NettyStreamReceiver(run, io, eventLoop);
        } catch (IOException e) {
            NettyIo.end(eventLoop);
            throw cannotListen(run, e);
        }
    }

    private final class Connection extends ChannelInboundHandlerAdapter {
        private @Nullable Channel channel;
        private long tag;
        private int tagBytes;

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // nothing depends on the end of the task
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
            if (sender != null) {
                reject();
                return;
            }
            if (pending.size() == MAXIMUM_PENDING) {
                pending.removeFirst().reject();
            }
            pending.addLast(this);
            context.executor().schedule(this::expire, TIMEOUT_S, TimeUnit.SECONDS);
        }

        private void expire() {
            if (pending.remove(this)) {
                reject();
            }
        }

        private void reject() {
            accounting().countForeign();
            if (channel != null) {
                NettyIo.close(channel);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long receivedNs = RealtimeClock.nowNs();
            ByteBuf bytes = (ByteBuf) message;
            try {
                if (channel == sender || isIdentified(bytes)) {
                    frame(bytes, receivedNs);
                }
            } catch (IOException e) {
                fail(e);
                NettyIo.close(context);
            } finally {
                bytes.release();
            }
        }

        private boolean isIdentified(ByteBuf bytes) {
            for (; tagBytes < Long.BYTES && bytes.isReadable(); tagBytes++) {
                tag = tag << Byte.SIZE | bytes.readUnsignedByte();
            }
            if (tagBytes < Long.BYTES || !pending.remove(this)) {
                return false;
            }
            if (tag != run.tag()) {
                reject();
                return false;
            }
            sender = channel;
            NettyIo.close(listening);
            pending.forEach(Connection::reject);
            pending.clear();
            return true;
        }

        private void frame(ByteBuf bytes, long receivedNs) throws IOException {
            while (bytes.isReadable()) {
                int count = Math.min(framer.room(), bytes.readableBytes());
                bytes.readBytes(framer.array(), framer.offset(), count);
                framer.frame(count, accounting(), receivedNs);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (channel == sender) {
                end();
            } else {
                expire();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (channel == sender && !isClosed()) {
                fail(new IOException(
                        "Receiving over TCP on " + run.host() + " failed: "
                                + NettyIo.reason(cause).getMessage(),
                        cause));
            }
            NettyIo.close(context);
        }
    }

    @Override
    protected InetSocketAddress local() {
        return local;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        Channel connection = sender;
        if (connection != null && connection.isOpen()) {
            io.putBuffer(SocketBuffer.RECEIVE, ChannelOption.SO_RCVBUF, connection, run.settings(), into);
            into.put("remoteAddress", DataPort.text(connection.remoteAddress()));
            into.put("sharedStamps", true);
        }
    }

    @Override
    protected void release() {
        endReceive();
        NettyIo.end(eventLoop, sender, listening);
    }
}
