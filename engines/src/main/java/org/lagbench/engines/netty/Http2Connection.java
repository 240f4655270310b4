package org.lagbench.engines.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionPrefaceAndSettingsFrameWrittenEvent;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.HexFormat;
import org.lagbench.packetio.transport.SideConfig;

/** What both sides of HTTP/2 share: the path of a run, and the handlers of a connection. */
final class Http2Connection {
    /** How many bytes a side may send ahead of the other's reads, in a stream and in a connection. */
    private static final int WINDOW_BYTES = 1 << 20;

    private Http2Connection() {}

    /** Returns the path of the requests of a run, by which the receiver recognizes its sender. */
    static String path(SideConfig run) {
        return "/runs/" + HexFormat.of().toHexDigits(run.tag());
    }

    /**
     * Adds the handlers of a connection.
     *
     * @param streams handles the streams that the other side opens
     * @param observer handles the events of the connection
     */
    static void configure(
            Channel connection, Http2FrameCodecBuilder builder, ChannelHandler streams, ChannelHandler observer) {
        Http2FrameCodec codec = builder.initialSettings(
                        Http2Settings.defaultSettings().initialWindowSize(WINDOW_BYTES))
                .gracefulShutdownTimeoutMillis(0)
                .build();
        connection.pipeline().addLast(codec, new Http2MultiplexHandler(streams), new Window(codec), observer);
    }

    /** Enlarges the window of a connection as the settings enlarge those of the streams. */
    private static final class Window extends ChannelInboundHandlerAdapter {
        private final Http2FrameCodec codec;

        Window(Http2FrameCodec codec) {
            this.codec = codec;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Http2Exception {
            if (event instanceof Http2ConnectionPrefaceAndSettingsFrameWrittenEvent) {
                var connection = codec.connection();
                var flow = connection.local().flowController();
                flow.incrementWindowSize(
                        connection.connectionStream(), WINDOW_BYTES - flow.windowSize(connection.connectionStream()));
                context.flush();
            }
            context.fireUserEventTriggered(event);
        }
    }
}
