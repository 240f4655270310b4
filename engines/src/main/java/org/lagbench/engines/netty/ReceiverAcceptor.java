package org.lagbench.engines.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The TCP port of a sender to which the receiver connects, as one behind a NAT can. The first connection that begins
 * with the run's tag is the receiver's; others are closed.
 */
final class ReceiverAcceptor {
    private static final int TAG_TIMEOUT_S = 5;
    private static final int TIMEOUT_MS = 10_000;

    private final SideConfig run;
    private final Channel listening;
    private final Promise<Channel> receiver;
    private final Supplier<ChannelHandler> handlers;

    /** @param handlers what handles the receiver's connection after its tag */
    ReceiverAcceptor(SideConfig run, NettyIo io, EventLoopGroup eventLoop, Supplier<ChannelHandler> handlers)
            throws LagbenchException {
        this.run = run;
        this.handlers = handlers;
        this.receiver = eventLoop.next().newPromise();
        try {
            listening = NettyStreamReceiver.listen(run, io, eventLoop, new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel connection) {
                    connection.pipeline().addLast(new Introduction());
                }
            });
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure(
                    "Cannot listen for the receiver's TCP connection on " + run.listensAt() + ": " + IoErrors.reason(e)
                            + ".",
                    e);
        }
    }

    /** Returns the announcement of the port. */
    Map<String, String> announce() {
        return DataPort.announce((InetSocketAddress) listening.localAddress());
    }

    /**
     * Returns the connection of the receiver, which has connected before it accepts the run, and accepts no more.
     *
     * @throws IOException if it has not, or another host has connected in its place
     */
    Channel accept() throws IOException {
        try {
            if (!receiver.awaitUninterruptibly(Patience.ofMs(TIMEOUT_MS))) {
                throw new IOException("it did not connect to " + DataPort.text(listening.localAddress()));
            }
            Channel connection = receiver.getNow();
            if (!((InetSocketAddress) connection.remoteAddress())
                    .getAddress()
                    .equals(InetAddress.getByName(run.host()))) {
                throw new IOException("another host connected in its place");
            }
            return connection;
        } finally {
            close();
        }
    }

    /** Begins to close the port. */
    void close() {
        NettyIo.close(listening);
    }

    /** Reads the first bytes of a connection. */
    private final class Introduction extends ByteToMessageDecoder {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // nothing depends on the end of the task
        public void channelActive(ChannelHandlerContext context) {
            context.executor()
                    .schedule(
                            () -> {
                                if (!context.isRemoved()) {
                                    NettyIo.close(context);
                                }
                            },
                            TAG_TIMEOUT_S,
                            TimeUnit.SECONDS);
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            if (in.readableBytes() >= Long.BYTES) {
                if (in.readLong() == run.tag() && !receiver.isDone()) {
                    context.pipeline().replace(this, "receiver", handlers.get());
                    receiver.setSuccess(context.channel());
                } else {
                    NettyIo.close(context);
                }
            }
        }
    }
}
