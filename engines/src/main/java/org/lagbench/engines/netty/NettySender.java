package org.lagbench.engines.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.engines.message.ReplyQueue;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.SideConfig;

/** Sends over a TCP connection, or in datagrams from a connected UDP socket. */
final class NettySender extends ChannelSender {
    private final boolean isStream;
    /** The port to which the receiver connects; null if it listens. */
    private final @Nullable ReceiverAcceptor acceptor;

    private final DatagramErrors errors = new DatagramErrors();

    /** @param introduces whether a connection begins with the run's tag; else with the first packet */
    NettySender(SideConfig run, NettyIo io, boolean isStream, boolean introduces) throws LagbenchException {
        super(
                run,
                io,
                isStream ? ReplyQueue.ofStream(run) : new ReplyQueue(run),
                isStream && introduces,
                isStream ? null : PathOpening.listen(run));
        this.isStream = isStream;
        this.acceptor =
                isStream && run.receiverConnects() ? new ReceiverAcceptor(run, io, eventLoop, Observer::new) : null;
    }

    @Override
    public Map<String, String> announce() {
        return acceptor == null ? super.announce() : acceptor.announce();
    }

    @Override
    protected Channel openChannel(InetSocketAddress address, Map<String, String> announced)
            throws IOException, LagbenchException {
        Channel opened = acceptor == null ? connect(address) : acceptor.accept();
        if (acceptor != null) {
            NettyIo.requestBuffer(SocketBuffer.SEND, run.settings(), opened);
        }
        if (isStream) {
            openStates(opened);
        }
        return opened;
    }

    private Channel connect(InetSocketAddress address) throws IOException, LagbenchException {
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMs())
                .handler(new Observer());
        if (isStream) {
            bootstrap.option(ChannelOption.TCP_NODELAY, run.settings().flag(MessageEngine.NO_DELAY));
        }
        bootstrap.channel(isStream ? io.stream : io.datagrams);
        NettyIo.requestBuffer(SocketBuffer.SEND, run.settings(), bootstrap);
        ChannelFuture connecting = io.connect(bootstrap, run, address, opening);
        await(connecting);
        return connecting.channel();
    }

    /** Writes a datagram, or counts its error. */
    @Override
    protected ChannelFuture write(Channel to, Object message, ChannelFutureListener recorder) {
        if (isStream) {
            return super.write(to, message, recorder);
        }
        ByteBuf packet = ((ByteBuf) message).retain();
        return to.writeAndFlush(message)
                .addListener((ChannelFuture first) -> errors.finish(first, 1, packet, to, recorder));
    }

    @Override
    protected void receiveFailed(IOException reason) {
        if (isStream || !errors.countReported(reason)) {
            super.receiveFailed(reason);
        }
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        errors.putMetadata(into);
    }

    @Override
    public boolean readState(long[] values, int from) throws IOException {
        return states.read(values, from);
    }

    @Override
    protected String text(IOException reason) {
        return isStream ? super.text(reason) : IoErrors.reason(reason);
    }

    @Override
    protected void releaseChannels(@Nullable Channel open) {
        if (acceptor != null) {
            acceptor.close();
        }
        NettyIo.end(eventLoop, open);
    }
}
