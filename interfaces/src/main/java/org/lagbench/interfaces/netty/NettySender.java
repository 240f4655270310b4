package org.lagbench.interfaces.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.interfaces.message.MessageSender;
import org.lagbench.interfaces.message.SocketSettings;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Hands each packet over to the event loop, which sends it from its own thread. A packet is copied into a pooled direct
 * buffer. Waits while the channel has more bytes to send than its high water mark (64 KiB).
 */
final class NettySender extends MessageSender {
    private final NettyIo io;
    private final boolean isStream;
    private final EventLoopGroup eventLoop;
    private final Object changed = new Object();
    private final ChannelFutureListener listener = this::written;
    private volatile @Nullable Channel channel;
    private volatile @Nullable IOException failure;
    private @Nullable ChannelFuture last;
    private int sentAhead;

    NettySender(TransportRun run, NettyIo io, boolean isStream) {
        super(run);
        this.io = io;
        this.isStream = isStream;
        this.eventLoop = io.newEventLoop();
    }

    /** Wakes the sending thread when the channel takes more packets or closes. */
    private final class Observer extends ChannelInboundHandlerAdapter {
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            synchronized (changed) {
                changed.notifyAll();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail(new ClosedChannelException());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message); // the receiver sends nothing
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(NettyIo.reason(cause));
        }
    }

    private void fail(IOException reason) {
        synchronized (changed) {
            if (failure == null) {
                failure = reason;
            }
            changed.notifyAll();
        }
    }

    private void written(ChannelFuture write) {
        if (!write.isSuccess()) {
            fail(NettyIo.reason(write.cause()));
        }
    }

    @Override
    protected void open(InetSocketAddress address, Map<String, String> announced) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop)
                .channel(isStream ? io.stream : io.datagrams)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .handler(new Observer());
        if (isStream) {
            bootstrap.option(ChannelOption.TCP_NODELAY, run.settings().flag(SocketSettings.NO_DELAY));
        }
        OptionalLong sendBuffer = SocketBuffer.SEND.requestedBytes(run.settings());
        if (sendBuffer.isPresent()) {
            bootstrap.option(ChannelOption.SO_SNDBUF, Math.toIntExact(sendBuffer.getAsLong()));
        }
        ChannelFuture connecting = bootstrap.connect(address).awaitUninterruptibly();
        if (!connecting.isSuccess()) {
            throw NettyIo.reason(connecting.cause());
        }
        Channel opened = connecting.channel();
        if (isStream) {
            ByteBuf tag = opened.alloc().directBuffer(Long.BYTES).writeLong(run.tag());
            last = opened.writeAndFlush(tag).addListener(listener);
            sentAhead = Long.BYTES;
        }
        channel = opened;
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        Channel open = channel;
        if (open == null) {
            throw new ClosedChannelException();
        }
        if (!open.isWritable() || failure != null) {
            awaitWritable(open);
        }
        int bytes = packet.length - sentAhead;
        ByteBuf copy = open.alloc().directBuffer(bytes).writeBytes(packet, sentAhead, bytes);
        last = open.writeAndFlush(copy).addListener(listener);
        sentAhead = 0;
    }

    private void awaitWritable(Channel open) throws IOException {
        try {
            synchronized (changed) {
                while (!open.isWritable() && failure == null) {
                    changed.wait();
                }
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("stopped");
        }
        throwIfFailed();
    }

    private void throwIfFailed() throws IOException {
        IOException reason = failure;
        if (reason != null) {
            throw new IOException(isStream ? "the connection ended: " + text(reason) : text(reason), reason);
        }
    }

    private static String text(IOException reason) {
        return reason instanceof ClosedChannelException
                ? "the receiver closed it"
                : String.valueOf(reason.getMessage());
    }

    @Override
    protected void awaitTransmitted() throws IOException {
        ChannelFuture write = last;
        if (write != null) {
            write.awaitUninterruptibly(); // writes complete in order, so that all before it are complete too
        }
        throwIfFailed();
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        Channel open = channel;
        if (open != null) {
            io.putBuffer(SocketBuffer.SEND, ChannelOption.SO_SNDBUF, open, run.settings(), into);
            into.put("localAddress", DataPort.text(open.localAddress()));
            if (isStream) {
                into.put("noDelay", run.settings().flag(SocketSettings.NO_DELAY));
            }
        }
    }

    @Override
    protected void release() {
        NettyIo.end(eventLoop, channel);
    }
}
