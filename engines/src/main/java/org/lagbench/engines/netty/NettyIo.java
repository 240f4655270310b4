package org.lagbench.engines.netty;

import io.netty.bootstrap.AbstractBootstrap;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.UnixChannel;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.model.Settings;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;

/** A kind of I/O: the event loop and the classes of its channels. */
enum NettyIo {
    NIO(NioStream.class, NioServer.class, NioDatagramChannel.class, () -> null, NioIoHandler::newFactory),
    EPOLL(
            EpollSocketChannel.class,
            EpollServerSocketChannel.class,
            EpollDatagramChannel.class,
            Epoll::unavailabilityCause,
            EpollIoHandler::newFactory),
    IO_URING(
            IoUringSocketChannel.class,
            IoUringServerSocketChannel.class,
            IoUringDatagramChannel.class,
            IoUring::unavailabilityCause,
            IoUringIoHandler::newFactory);

    static {
        // the event loop would load JFR when it allocates its first buffer, while the first packets arrive
        System.getProperties().putIfAbsent("io.netty.jfr.enabled", "false");
    }

    /** Binds a receiver's socket, which other hosts than the sender's do not reach, and returns its channel. */
    static Channel bind(AbstractBootstrap<?, ?> bootstrap, SideConfig run) throws IOException, LagbenchException {
        Channel channel = succeeded(bootstrap.register());
        try {
            admit(channel, run);
            if (channel instanceof ServerChannel) {
                channel.pipeline().addFirst(new Strangers(run));
            }
            succeeded(channel.bind(DataPort.listening(run).address()));
            return channel;
        } catch (IOException | LagbenchException e) {
            close(channel);
            throw e;
        }
    }

    private static Channel succeeded(ChannelFuture future) throws IOException {
        if (!future.awaitUninterruptibly().isSuccess()) {
            throw reason(future.cause());
        }
        return future.channel();
    }

    private static void admit(Channel channel, SideConfig run) throws IOException, LagbenchException {
        if (channel instanceof UnixChannel ofKernel) {
            Sockets.admit(ofKernel.fd().intValue(), run);
        } else if (channel instanceof NioServer listening) {
            Sockets.admit(listening.socket(), run);
        }
    }

    /** Closes connections of other hosts before their first byte is read: recent kernels let only root filter TCP. */
    private static final class Strangers extends ChannelInboundHandlerAdapter {
        private final SideConfig run;

        Strangers(SideConfig run) {
            this.run = run;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            if (accepted instanceof Channel connection && !run.admits(connection.remoteAddress())) {
                connection.unsafe().closeForcibly();
            } else {
                context.fireChannelRead(accepted);
            }
        }
    }

    /** Returns what opens the socket that {@link #bind} binds, for datagrams. */
    ChannelFactory<Channel> receiver(SideConfig run) throws IOException, LagbenchException {
        if (this != NIO) {
            return new ReflectiveChannelFactory<>(datagrams);
        }
        DatagramChannel socket = DatagramChannel.open(); // Netty does not show the one that it opens itself
        Sockets.admit(socket, run);
        return () -> new NioDatagramChannel(socket);
    }

    /**
     * Lets an event loop read its own datagram, so that it loads its classes and allocates its first buffer before
     * packets arrive, which the socket's buffer holds for a short time only. Returns whether it has read the datagram.
     */
    boolean readOwnDatagram(EventLoopGroup eventLoop) {
        Promise<Void> read = eventLoop.next().newPromise();
        Channel own = new Bootstrap()
                .group(eventLoop)
                .channel(datagrams)
                .handler(new SimpleChannelInboundHandler<DatagramPacket>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, DatagramPacket datagram) {
                        ByteBuf content = datagram.content();
                        content.readBytes(ByteBuffer.allocate(content.readableBytes()));
                        read.trySuccess(null);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .awaitUninterruptibly()
                .channel();
        if (own.isActive()) {
            ByteBuf content = own.alloc().directBuffer(Long.BYTES).writeLong(0);
            own.writeAndFlush(new DatagramPacket(content, (InetSocketAddress) own.localAddress()))
                    .addListener(written -> {
                        if (!written.isSuccess()) {
                            read.tryFailure(written.cause());
                        }
                    });
            read.awaitUninterruptibly(OWN_DATAGRAM_TIMEOUT_MS);
        }
        own.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS);
        return read.isSuccess();
    }

    /**
     * Connects a sender's socket, from the address and port that the user named, if any.
     *
     * @param opening the port of another socket of this process from which it connects; null for none
     */
    ChannelFuture connect(Bootstrap bootstrap, SideConfig run, InetSocketAddress to, @Nullable PathOpening opening)
            throws IOException, LagbenchException {
        if (opening == null) {
            InetSocketAddress from = DataPort.connecting(run);
            boolean isStream = run.transport().wire().isStream();
            return from == null
                    ? bootstrap.connect(to)
                    : bootstrap.option(ChannelOption.SO_REUSEADDR, isStream).connect(to, from);
        }
        ChannelOption<Boolean> shared =
                this == NIO ? NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT) : UnixChannelOption.SO_REUSEPORT;
        return bootstrap.option(shared, true).connect(opening.await(to), opening.local());
    }

    /**
     * Sends the first packets of a receiver, if it has requested the run, so that a NAT passes the sender's packets.
     * They have left when it returns: a sender that gets none in time sends to a port that the NAT does not know yet.
     */
    static void openPath(Channel from, SideConfig run) throws LagbenchException {
        InetSocketAddress sender = PathOpening.target(run);
        for (int copy = 0; sender != null && copy < PathOpening.COPIES; copy++) {
            from.writeAndFlush(new DatagramPacket(Unpooled.wrappedBuffer(PathOpening.packet(run.tag())), sender))
                    .awaitUninterruptibly();
        }
    }

    /** How long closing a channel may take, in ms. */
    static final long CLOSE_TIMEOUT_MS = 5_000;

    /** How long a datagram over loopback may take, in ms; a firewall may drop it. */
    private static final long OWN_DATAGRAM_TIMEOUT_MS = 1_000;

    final Class<? extends Channel> stream;
    final Class<? extends ServerChannel> server;
    final Class<? extends Channel> datagrams;

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final Supplier<@Nullable Throwable> unavailabilityCause;

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final Supplier<IoHandlerFactory> handlers;

    NettyIo(
            Class<? extends Channel> stream,
            Class<? extends ServerChannel> server,
            Class<? extends Channel> datagrams,
            Supplier<@Nullable Throwable> unavailabilityCause,
            Supplier<IoHandlerFactory> handlers) {
        this.stream = stream;
        this.server = server;
        this.datagrams = datagrams;
        this.unavailabilityCause = unavailabilityCause;
        this.handlers = handlers;
    }

    static NettyIo of(Settings settings) {
        return valueOf(settings.word(NettyEngine.IO).toUpperCase(Locale.ROOT));
    }

    /** Returns why this kind of I/O is unavailable on this machine; null if it is available. */
    @Nullable
    Throwable unavailabilityCause() {
        return unavailabilityCause.get();
    }

    /** Returns an event loop with one thread. */
    EventLoopGroup newEventLoop() {
        return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("netty-loop", true), handlers.get());
    }

    /** Returns the thread of an event loop; null if the loop has ended. Not called by that thread. */
    static @Nullable PacketThread threadOf(EventLoopGroup eventLoop) {
        try {
            return Uninterruptibly.get(eventLoop.submit(PacketThread::current));
        } catch (ExecutionException | RejectedExecutionException e) {
            return null;
        }
    }

    /** Opens a receiver in an event loop. */
    @FunctionalInterface
    interface Opening<T> {
        T open(EventLoopGroup eventLoop) throws IOException, LagbenchException;
    }

    /** Returns a receiver in a new event loop, which ends if the receiver cannot be opened. */
    <T> T open(Opening<T> receiver) throws IOException, LagbenchException {
        EventLoopGroup eventLoop = newEventLoop();
        try {
            return receiver.open(eventLoop);
        } catch (IOException | LagbenchException e) {
            end(eventLoop);
            throw e;
        }
    }

    /**
     * Closes channels, then ends their event loop and the loop's thread. Not called by that thread. An event loop of
     * io_uring that ends with open channels may leave their sockets open.
     *
     * @param channels null for one that was not opened
     */
    static void end(EventLoopGroup eventLoop, @Nullable Channel... channels) {
        for (@Nullable Channel channel : channels) {
            if (channel != null) {
                channel.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS);
            }
        }
        eventLoop.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    /** Begins to close a channel. */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the event loop closes it too
    static void close(ChannelOutboundInvoker channel) {
        channel.close();
    }

    /** Writes a message to a channel or a stream. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure also ends the stream
    static void write(ChannelOutboundInvoker to, Object message) {
        to.writeAndFlush(message);
    }

    /** Counts the packets in some bytes of a stream, which share a stamp. Returns whether they completed a transfer. */
    static boolean frame(ByteBuf bytes, StreamFramer into, PacketAccounting accounting, long receivedNs)
            throws IOException {
        ByteBuffer buffer = into.buffer();
        boolean isComplete = false;
        while (bytes.isReadable()) {
            int count = Math.min(buffer.remaining(), bytes.readableBytes());
            bytes.readBytes(buffer.array(), buffer.arrayOffset() + buffer.position(), count);
            buffer.position(buffer.position() + count);
            into.frame(accounting, receivedNs);
            isComplete |= into.hasCompletedTransfer();
        }
        return isComplete;
    }

    private static ChannelOption<Integer> option(SocketBuffer buffer) {
        return buffer == SocketBuffer.SEND ? ChannelOption.SO_SNDBUF : ChannelOption.SO_RCVBUF;
    }

    /** Requests the size of a socket's buffer that the settings name, if any. */
    static void requestBuffer(SocketBuffer buffer, Settings settings, AbstractBootstrap<?, ?> bootstrap) {
        buffer.request(settings, bytes -> bootstrap.option(option(buffer), bytes));
    }

    /** Requests the size of a buffer of an accepted connection's socket. */
    static void requestBuffer(SocketBuffer buffer, Settings settings, Channel accepted) {
        buffer.request(settings, bytes -> accepted.config().setOption(option(buffer), bytes));
    }

    /** Adds the granted size of a socket's buffer. Passes on half the kernel's size, as NIO already returns it. */
    void putBuffer(SocketBuffer buffer, Channel channel, Settings settings, Map<String, Object> into)
            throws IOException {
        try {
            @Nullable Integer bytes = channel.config().getOption(option(buffer));
            if (bytes != null) {
                buffer.putMetadata(this == NIO ? bytes : bytes / 2, settings, into);
            }
        } catch (ChannelException e) {
            throw reason(e);
        }
    }

    /** Returns a failure of Netty as an exception, with the message of the operating system if there is one. */
    static IOException reason(Throwable failure) {
        Throwable cause = failure.getCause();
        Throwable best = cause instanceof IOException ? cause : failure;
        return best instanceof IOException known ? known : new IOException(String.valueOf(best.getMessage()), failure);
    }

    /** A connection over a channel of the JDK, which other classes of this package can access. */
    public static final class NioStream extends NioSocketChannel {
        /** Creates a connection, for Netty. */
        public NioStream() {}

        private NioStream(Channel listening, SocketChannel accepted) {
            super(listening, accepted);
        }

        /** Returns the connection's channel of the JDK. */
        SocketChannel socket() {
            return javaChannel();
        }
    }

    /** Accepts connections as {@link NioStream}. */
    public static final class NioServer extends NioServerSocketChannel {
        /** Creates a closed channel, for Netty. */
        public NioServer() {}

        /** Returns the listening channel of the JDK. */
        NetworkChannel socket() {
            return javaChannel();
        }

        @Override
        protected int doReadMessages(List<Object> connections) throws Exception {
            SocketChannel accepted = javaChannel().accept();
            if (accepted == null) {
                return 0;
            }
            connections.add(new NioStream(this, accepted));
            return 1;
        }
    }
}
