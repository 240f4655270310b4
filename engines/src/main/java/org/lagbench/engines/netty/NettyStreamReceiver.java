package org.lagbench.engines.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.stream.Stream;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.SideConfig;

/** Accepts TCP connections, each a stream. */
final class NettyStreamReceiver extends ChannelReceiver {
    private static final int BACKLOG = 64;

    private final Channel listening;

    private NettyStreamReceiver(SideConfig run, NettyIo io, EventLoopGroup eventLoop)
            throws IOException, LagbenchException {
        super(run, io, eventLoop, "TCP");
        listening = listen(run, io, eventLoop, new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel connection) {
                connection.pipeline().addLast(new Stream());
            }
        });
    }

    /** Opens a listening socket at the run's address. */
    static Channel listen(SideConfig run, NettyIo io, EventLoopGroup eventLoop, ChannelInitializer<Channel> connections)
            throws IOException, LagbenchException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(eventLoop)
                .channel(io.server)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true) // a named port may have connections that have ended
                .childOption(ChannelOption.TCP_NODELAY, run.settings().flag(MessageEngine.NO_DELAY)) // of answers
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
        NettyIo.close(listening);
    }

    @Override
    protected InetSocketAddress local() {
        return (InetSocketAddress) listening.localAddress();
    }

    @Override
    protected void putSender(Channel connection, Map<String, Object> into) throws IOException {
        io.putBuffer(SocketBuffer.RECEIVE, connection, run.settings(), into);
        into.put("remoteAddress", DataPort.text(connection.remoteAddress()));
        into.put("sharedStamps", true);
    }

    @Override
    protected void release() {
        endReceive();
        NettyIo.end(eventLoop, sender(), listening);
    }
}
