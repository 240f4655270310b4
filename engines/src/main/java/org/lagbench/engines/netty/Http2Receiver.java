package org.lagbench.engines.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.engines.message.PushReceiver;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.StreamPackets;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Serves POST requests to the path of the run; others are foreign. Packets are stamped when Netty passes on the DATA
 * frame that completes them. The event loop's thread does all of this.
 */
final class Http2Receiver extends PushReceiver {
    private final NettyIo io = NettyIo.NIO;
    private final EventLoopGroup eventLoop;
    private final StreamFramer framer;
    private final ChannelGroup connections;
    private final Channel listening;
    private @Nullable Channel sender;

    /** Metadata of the sender's connection, read at its first request. */
    private volatile Map<String, Object> connection = Map.of();

    private Http2Receiver(SideConfig run, EventLoopGroup eventLoop) throws IOException, LagbenchException {
        super(run);
        receiveIn(NettyIo.threadOf(eventLoop)); // before a packet makes it wait for the run
        this.eventLoop = eventLoop;
        Arrival arrival = (packets, offset, mediumStamp) -> {
            allocation.packet();
            return mediumStamp;
        };
        this.framer = new StreamPackets(run, "sender", arrival, ByteBuffer::allocate);
        this.connections = new DefaultChannelGroup(eventLoop.next());
        this.listening = NettyStreamReceiver.listen(run, io, eventLoop, new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel accepted) {
                connections.add(accepted);
                Http2Connection.configure(
                        accepted, Http2FrameCodecBuilder.forServer(), new Requests(), new Strangers());
            }
        });
    }

    static Http2Receiver open(SideConfig run) throws IOException, LagbenchException {
        return NettyIo.NIO.open(eventLoop -> new Http2Receiver(run, eventLoop));
    }

    private final class Requests extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel stream) {
            stream.pipeline().addLast(run.isAnswered() ? new Exchange() : new Body());
        }
    }

    /** Closes a connection that does not follow HTTP/2. */
    private static final class Strangers extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            NettyIo.close(context);
        }
    }

    private abstract class Request extends ChannelInboundHandlerAdapter {
        private boolean isSenders;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long receivedNs = RealtimeClock.nowNs();
            try {
                if (message instanceof Http2HeadersFrame request) {
                    begin(context, request.headers());
                } else if (message instanceof Http2DataFrame data && isSenders) {
                    read(context, data.content(), receivedNs);
                    if (data.isEndStream()) {
                        endBody(context);
                    }
                }
            } catch (IOException e) {
                fail(e);
                NettyIo.close(context);
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void begin(ChannelHandlerContext context, Http2Headers request) throws IOException {
            isSenders = "POST".contentEquals(request.method())
                    && Http2Connection.path(run).contentEquals(request.path());
            if (isSenders) {
                note(context.channel().parent());
                begin(context);
            } else {
                accounting().countForeign();
                NettyIo.write(context, new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("404"), true));
            }
        }

        /** Begins a request of the sender. */
        abstract void begin(ChannelHandlerContext context);

        /** Receives bytes of the request's body. */
        abstract void read(ChannelHandlerContext context, ByteBuf bytes, long receivedNs) throws IOException;

        /** Receives the end of the body. */
        abstract void endBody(ChannelHandlerContext context) throws IOException;

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (isSenders && !isClosed()) {
                fail(new IOException(
                        "Receiving over HTTP/2 on " + run.host() + " failed: " + IoErrors.reason(NettyIo.reason(cause)),
                        cause));
            }
            NettyIo.close(context);
        }
    }

    /** A request whose body has all packets of a connection. */
    private final class Body extends Request {
        @Override
        void begin(ChannelHandlerContext context) {
            sender = context.channel();
            framer.buffer().clear();
            framer.begin();
            NettyIo.write(context, accepted());
        }

        @Override
        void read(ChannelHandlerContext context, ByteBuf bytes, long receivedNs) throws IOException {
            if (NettyIo.frame(bytes, framer, accounting(), receivedNs)) {
                replyToTransfer();
            }
        }

        @Override
        void endBody(ChannelHandlerContext context) {
            NettyIo.write(context, new DefaultHttp2DataFrame(true));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (context.channel() == sender && !run.hasTransfers()) {
                end();
            }
        }
    }

    private void replyToTransfer() {
        Channel to = sender;
        if (to != null) {
            NettyIo.write(to, new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[TransferSender.REPLY_BYTES])));
        }
    }

    /** A request whose body is one packet, which the response returns. */
    private final class Exchange extends Request {
        private final ByteBuffer packet = ByteBuffer.allocate(run.packetBytes());

        @Override
        void begin(ChannelHandlerContext context) {}

        @Override
        void read(ChannelHandlerContext context, ByteBuf bytes, long receivedNs) throws IOException {
            if (bytes.readableBytes() > packet.remaining()) {
                throw new IOException("The body of a request is longer than a packet.");
            }
            bytes.readBytes(packet.limit(packet.position() + bytes.readableBytes()));
            packet.limit(packet.capacity());
            if (!packet.hasRemaining()) {
                answer(context, receivedNs);
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the body follows, whose failure ends the stream
        private void answer(ChannelHandlerContext context, long receivedNs) {
            PacketAccounting accounting = accounting();
            allocation.packet();
            long repliedNs = PacketLayout.stamp(packet, 0, run.packetBytes());
            context.write(accepted());
            ByteBuf body = context.alloc().directBuffer(run.packetBytes()).writeBytes(packet.array());
            NettyIo.write(context, new DefaultHttp2DataFrame(body, true));
            accounting.packet(packet, 0, run.packetBytes(), receivedNs, repliedNs);
        }

        @Override
        void endBody(ChannelHandlerContext context) throws IOException {
            if (packet.hasRemaining()) {
                throw new IOException("The body of a request is shorter than a packet.");
            }
        }
    }

    private static DefaultHttp2HeadersFrame accepted() {
        return new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200"));
    }

    private void note(Channel accepted) throws IOException {
        if (connection.isEmpty() || run.hasTransfers()) {
            Map<String, Object> metadata = new HashMap<>();
            io.putBuffer(SocketBuffer.RECEIVE, accepted, run.settings(), metadata);
            metadata.put("remoteAddress", DataPort.text(accepted.remoteAddress()));
            connection = metadata;
        }
    }

    @Override
    protected InetSocketAddress local() {
        return (InetSocketAddress) listening.localAddress();
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        into.put("sharedStamps", !run.isAnswered());
        into.putAll(connection);
        framer.putMetadata(into);
    }

    @Override
    protected void release() {
        endReceive();
        listening.close().awaitUninterruptibly(NettyIo.CLOSE_TIMEOUT_MS);
        connections.close().awaitUninterruptibly(NettyIo.CLOSE_TIMEOUT_MS);
        NettyIo.end(eventLoop);
    }
}
