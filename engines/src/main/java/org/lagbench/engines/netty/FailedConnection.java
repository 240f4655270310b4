package org.lagbench.engines.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Closes a QUIC connection that fails, as by a stranger's handshake, so that Netty does not print the exception. The
 * end of a stream in it is reported by the stream.
 */
final class FailedConnection extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        NettyIo.close(context);
    }
}
