package org.lagbench.engines.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.SideConfig;

/** Accepts TCP connections, each a stream; or connects to the sender. */
final class NettyStreamReceiver extends ChannelReceiver {
    private static final int BACKLOG = 64;
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    /** Whether this side has connected to the sender. */
    private final boolean isConnected;

    private final Channel bound;

    private NettyStreamReceiver(SideConfig run, NettyIo io, EventLoopGroup eventLoop)
            throws IOException, LagbenchException {
        super(run, io, eventLoop, "TCP");
        InetSocketAddress sender = PathOpening.target(run);
        isConnected = sender != null;
        bound = sender == null
                ? listen(run, io, eventLoop, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection.pipeline().addLast(new Stream());
                    }
                })
                : connect(sender);
    }

    /** Connects to the sender, and introduces this side by the run's tag. */
    private Channel connect(InetSocketAddress sender) throws LagbenchException {
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop)
                .channel(io.stream)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .option(ChannelOption.TCP_NODELAY, run.settings().flag(MessageEngine.NO_DELAY))
                .handler(new Stream());
        NettyIo.requestBuffer(SocketBuffer.RECEIVE, run.settings(), bootstrap);
        try {
            ChannelFuture connecting = io.connect(bootstrap, run, sender, null).awaitUninterruptibly();
            if (!connecting.isSuccess()) {
                throw NettyIo.reason(connecting.cause());
            }
            NettyIo.write(connecting.channel(), Unpooled.copyLong(run.tag()));
            return connecting.channel();
        } catch (IOException e) {
            throw ExitCode.PEER.failure(
                    "Cannot connect to the sender's TCP data port " + DataPort.text(sender) + ": " + IoErrors.reason(e)
                            + ". Does a firewall block it?",
                    e);
        }
    }

    /** Opens a listening socket at the run's address. */
    static Channel listen(SideConfig run, NettyIo io, EventLoopGroup eventLoop, ChannelInitializer<Channel> connections)
            throws IOException, LagbenchException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(eventLoop)
                .channel(io.server)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true) // a named port may have connections that have ended
                .childOption(ChannelOption.TCP_NODELAY, run.settings().flag(MessageEngine.NO_DELAY)) // for replies
                .childHandler(connections);
        // connections inherit the size and the TCP window
        NettyIo.requestBuffer(SocketBuffer.RECEIVE, run.settings(), bootstrap);
        return NettyIo.bind(bootstrap, run);
    }

    static NettyStreamReceiver open(SideConfig run, NettyIo io) throws IOException, LagbenchException {
        return io.open(eventLoop -> new NettyStreamReceiver(run, io, eventLoop));
    }

    @Override
    protected void stopListening() {
        if (!isConnected) {
            NettyIo.close(bound);
        }
    }

    @Override
    protected boolean expiresStreams() {
        return !isConnected;
    }

    @Override
    protected InetSocketAddress local() {
        return (InetSocketAddress) bound.localAddress();
    }

    @Override
    protected void putSender(Channel connection, Map<String, Object> into) throws IOException {
        io.putBuffer(SocketBuffer.RECEIVE, connection, run.settings(), into);
        ConnectionFacts.ofRemote(DataPort.text(connection.remoteAddress())).putInto(into);
        CallFacts.ofStamps(true).putInto(into);
    }

    @Override
    protected void release() {
        endReceive();
        NettyIo.end(eventLoop, sender(), bound);
    }
}
