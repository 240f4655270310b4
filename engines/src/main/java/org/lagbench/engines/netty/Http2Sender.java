package org.lagbench.engines.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.engines.message.ReplyQueue;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Sends all packets of a connection as the body of one POST request. In a run of round trips each packet is the body of
 * a separate request, and the reply is the body of the response.
 */
final class Http2Sender extends ChannelSender {
    private volatile @Nullable Channel connection;
    private String authority = "";

    Http2Sender(SideConfig run) {
        super(run, NettyIo.NIO, new ReplyQueue(run), false, null); // the path of the requests has the run's tag
    }

    @Override
    protected Object message(ByteBuf bytes) {
        return new DefaultHttp2DataFrame(bytes);
    }

    @Override
    protected Channel openChannel(InetSocketAddress address, Map<String, String> announced)
            throws IOException, LagbenchException {
        authority = DataPort.text(address);
        Bootstrap bootstrap = new Bootstrap()
                .group(eventLoop)
                .channel(io.stream)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMs())
                .option(ChannelOption.TCP_NODELAY, run.settings().flag(MessageEngine.NO_DELAY))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        Http2Connection.configure(
                                opened,
                                Http2FrameCodecBuilder.forClient(),
                                new ChannelInboundHandlerAdapter(),
                                new Observer());
                    }
                });
        NettyIo.requestBuffer(SocketBuffer.SEND, run.settings(), bootstrap);
        ChannelFuture connecting = bootstrap.connect(address);
        await(connecting);
        Channel connected = connecting.channel();
        connection = connected;
        openStates(connected);
        if (run.isAnswered()) {
            return connected;
        }
        Future<Http2StreamChannel> opening = new Http2StreamChannelBootstrap(connected)
                .handler(new StreamObserver())
                .open();
        await(opening);
        Http2StreamChannel stream = opening.getNow();
        write(stream, request());
        return stream;
    }

    private DefaultHttp2HeadersFrame request() {
        return new DefaultHttp2HeadersFrame(new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .authority(authority)
                .path(Http2Connection.path(run)));
    }

    private static void checkStatus(Http2HeadersFrame response) throws IOException {
        CharSequence status = response.headers().status();
        if (status == null || !"200".contentEquals(status)) {
            throw new IOException("the receiver refused the request with the status " + status);
        }
    }

    /** Checks the response's status and passes on its body. */
    private final class StreamObserver extends Observer {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2HeadersFrame response) {
                try {
                    checkStatus(response);
                } catch (IOException e) {
                    fail(e);
                }
            } else {
                super.channelRead(context, message);
            }
        }
    }

    /** Gathers the reply to one packet. */
    private final class Exchange extends ChannelInboundHandlerAdapter {
        private final ByteBuffer reply = ByteBuffer.allocate(run.packetBytes());

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long answeredNs = RealtimeClock.nowNs();
            try {
                if (message instanceof Http2HeadersFrame response) {
                    checkStatus(response);
                } else if (message instanceof Http2DataFrame data) {
                    add(data, answeredNs);
                }
            } catch (IOException e) {
                fail(e);
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void add(Http2DataFrame data, long answeredNs) throws IOException {
            if (data.content().readableBytes() > reply.remaining()) {
                throw new IOException("the reply to a packet is longer than the packet");
            }
            int end = reply.position() + data.content().readableBytes();
            data.content().readBytes(reply.limit(end));
            reply.limit(reply.capacity());
            if (data.isEndStream()) {
                replies.add(Arrays.copyOf(reply.array(), end), answeredNs);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (reply.hasRemaining()) {
                fail(new EOFException("it ended a request without a reply"));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(NettyIo.reason(cause));
        }
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        if (run.isAnswered()) {
            Channel open = awaitWritable();
            ByteBuf body = open.alloc().directBuffer(packet.length).writeBytes(packet);
            open.eventLoop().execute(() -> post(open, body));
        } else {
            super.transmit(packet);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the listener gets the result
    private void post(Channel open, ByteBuf body) {
        new Http2StreamChannelBootstrap(open)
                .handler(new Exchange())
                .open()
                .addListener((Future<Http2StreamChannel> opening) -> {
                    if (opening.isSuccess()) {
                        write(opening.getNow(), request());
                        write(opening.getNow(), new DefaultHttp2DataFrame(body, true));
                    } else {
                        body.release();
                        fail(NettyIo.reason(opening.cause()));
                    }
                });
    }

    @Override
    protected void endStream(Channel open) throws IOException {
        await(open.writeAndFlush(new DefaultHttp2DataFrame(true)));
    }

    @Override
    protected @Nullable Channel socket(Channel open) {
        return connection;
    }

    @Override
    protected void releaseChannels(@Nullable Channel open) {
        NettyIo.end(eventLoop, connection);
    }
}
