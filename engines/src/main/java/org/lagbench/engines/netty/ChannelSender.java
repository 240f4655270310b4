package org.lagbench.engines.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.engines.message.ReplyQueue;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.TcpStates;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.Retransmissions;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Hands each packet over to the event loop, which sends it from its own thread. A packet is copied into a pooled direct
 * buffer. Waits while the channel has more bytes to send than its high water mark (64 KiB).
 */
abstract class ChannelSender extends MessageSender implements TransferSender {
    /** The kind of I/O. */
    protected final NettyIo io;

    /** Has one thread. */
    protected final EventLoopGroup eventLoop;

    /** The receiver's replies. */
    protected final ReplyQueue replies;

    /** The UDP port at which the receiver's first packet arrives; null if the receiver sends none. */
    protected final @Nullable PathOpening opening;

    /** Of the TCP connection, after {@link #openStates}. */
    protected final TcpStates states = new TcpStates();

    private final boolean introduces;
    private final Object changed = new Object();
    private final ChannelFutureListener listener = this::written;
    private volatile @Nullable Channel channel;
    private volatile @Nullable IOException failure;
    private @Nullable ChannelFuture last;
    private int sentAhead;
    private long connectStartNs = -1;
    private long connectedNs = -1;

    /**
     * @param introduces whether the channel's stream begins with the run's tag; else with the first packet
     * @param opening see {@link #opening}; closed with this
     */
    ChannelSender(SideConfig run, NettyIo io, ReplyQueue replies, boolean introduces, @Nullable PathOpening opening) {
        super(run);
        this.opening = opening;
        this.introduces = introduces;
        this.io = io;
        this.replies = replies;
        this.eventLoop = io.newEventLoop();
    }

    /** Passes on replies, and wakes the sending thread when the channel accepts more packets or closes. */
    protected class Observer extends ChannelInboundHandlerAdapter {
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            synchronized (changed) {
                changed.notifyAll();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long answeredNs = RealtimeClock.nowNs();
            ByteBuf bytes = message instanceof ByteBufHolder holder ? holder.content() : null;
            bytes = message instanceof ByteBuf buffer ? buffer : bytes;
            if (bytes != null && bytes.isReadable()) {
                replies.add(ByteBufUtil.getBytes(bytes), answeredNs);
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                fail(new ClosedChannelException());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail(new ClosedChannelException());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            receiveFailed(NettyIo.reason(cause));
        }
    }

    /** Handles a failure to receive replies: this implementation also ends the sending. */
    protected void receiveFailed(IOException reason) {
        fail(reason);
    }

    /** Records why nothing more can be sent or received. */
    protected final void fail(IOException reason) {
        synchronized (changed) {
            if (failure == null) {
                failure = reason;
            }
            changed.notifyAll();
        }
        replies.fail(new IOException(
                "The receiver " + run.host() + " sends no more replies: "
                        + (reason instanceof ClosedChannelException
                                ? "it closed the connection."
                                : IoErrors.reason(reason)),
                reason));
    }

    private void written(ChannelFuture write) {
        if (!write.isSuccess()) {
            fail(NettyIo.reason(write.cause()));
        }
    }

    @Override
    public Map<String, String> announce() {
        return opening == null ? Map.of() : opening.announce();
    }

    /** Connects and returns the channel of the packets. */
    protected abstract Channel openChannel(InetSocketAddress address, Map<String, String> announced)
            throws IOException, LagbenchException;

    /** Begins to read the states of a TCP connection, if this kind of I/O has its socket. */
    protected final void openStates(Channel opened) throws IOException, LagbenchException {
        if (opened instanceof NettyIo.NioStream jdk) {
            states.open(jdk.socket());
        } else if (opened instanceof UnixChannel unix) {
            states.open(unix.fd().intValue());
        }
    }

    @Override
    public final @Nullable Retransmissions retransmissions() {
        return states.retransmissions();
    }

    /** Returns the message that carries some bytes. */
    protected Object message(ByteBuf bytes) {
        return bytes;
    }

    /** Waits for a step of connecting. */
    protected static void await(Future<?> step) throws IOException {
        step.awaitUninterruptibly();
        if (!step.isSuccess()) {
            throw NettyIo.reason(step.cause());
        }
    }

    @Override
    protected final void open(DataPort port, Map<String, String> announced) throws IOException, LagbenchException {
        connectStartNs = RealtimeClock.nowNs();
        Channel opened = openChannel(port.address(), announced);
        closeOpening(); // the channel's socket has the port
        connectedNs = RealtimeClock.nowNs();
        if (introduces) {
            ByteBuf tag = opened.alloc().directBuffer(Long.BYTES).writeLong(run.tag());
            write(opened, message(tag));
            sentAhead = run.hasHeader() ? Long.BYTES : 0;
        }
        channel = opened;
    }

    /** Hands a message over to the event loop. */
    protected final void write(Channel to, Object message) {
        last = write(to, message, listener);
    }

    /** Writes a message; the listener records the failure. */
    protected ChannelFuture write(Channel to, Object message, ChannelFutureListener recorder) {
        return to.writeAndFlush(message).addListener(recorder);
    }

    /** Waits until the channel of the packets accepts more of them, and returns it. */
    protected final Channel awaitWritable() throws IOException {
        Channel open = channel;
        if (open == null) {
            throw new ClosedChannelException();
        }
        if (!open.isWritable() || failure != null) {
            awaitWritable(open);
        }
        return open;
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        Channel open = awaitWritable();
        int bytes = packet.length - sentAhead;
        ByteBuf copy = open.alloc().directBuffer(bytes).writeBytes(packet, sentAhead, bytes);
        sentAhead = 0;
        write(open, message(copy));
    }

    private void awaitWritable(Channel open) throws IOException {
        try {
            synchronized (changed) {
                while (!open.isWritable() && failure == null) {
                    changed.wait();
                }
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("the run was stopped");
        }
        throwIfFailed();
    }

    private void throwIfFailed() throws IOException {
        IOException reason = failure;
        if (reason != null) {
            throw new IOException(text(reason), reason);
        }
    }

    /** Returns why nothing more can be sent, as a clause. */
    protected String text(IOException reason) {
        return "the connection ended: "
                + (reason instanceof ClosedChannelException ? "the receiver closed it" : IoErrors.reason(reason));
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
    public PacketReceiver openReplies(long timeoutNs) {
        return replies.limitedTo(timeoutNs);
    }

    @Override
    public final long connectStartNs() {
        return connectStartNs;
    }

    @Override
    public final long connectedNs() {
        return connectedNs;
    }

    @Override
    public long awaitReply() throws IOException {
        return replies.await(REPLY_BYTES);
    }

    @Override
    public final void finish() throws IOException {
        Channel open = channel;
        if (open != null) {
            endStream(open);
            replies.awaitEnd();
        }
    }

    /** Notifies the receiver that no more packets follow. */
    protected void endStream(Channel open) throws IOException {
        await(((DuplexChannel) open).shutdownOutput());
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        CallFacts.ofHandingOver().putInto(into);
        Channel open = channel;
        Channel socket = open == null ? null : socket(open);
        if (socket != null) {
            io.putBuffer(SocketBuffer.SEND, socket, run.settings(), into);
            ConnectionFacts.ofLocal(DataPort.text(socket.localAddress())).putInto(into);
            if (run.transport().wire().isStream()) {
                into.put("noDelay", run.settings().flag(MessageEngine.NO_DELAY));
            }
        }
    }

    /** Returns the socket below the channel that carries the packets; that channel itself unless overridden. */
    protected @Nullable Channel socket(Channel open) {
        return open;
    }

    private void closeOpening() {
        if (opening != null) {
            opening.close();
        }
    }

    @Override
    protected final void release() {
        closeOpening();
        replies.close();
        states.close();
        releaseChannels(channel);
    }

    /** Closes all channels, and the event loop. */
    protected abstract void releaseChannels(@Nullable Channel open);
}
