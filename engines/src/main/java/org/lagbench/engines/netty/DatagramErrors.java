package org.lagbench.engines.netty;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.PacketError;
import org.lagbench.packetio.transport.PacketErrorCounts;

/**
 * Counts the errors of a sender's datagrams. The network reports some errors of earlier datagrams by the next call,
 * which then sends nothing; that call is repeated once.
 */
final class DatagramErrors {
    private final PacketErrorCounts counts = new PacketErrorCounts();

    /**
     * Ends the write of a datagram.
     *
     * @param packets how many packets it carries
     * @param datagram what was written, with a reference for this method
     * @param to what writes it again
     * @param sent called with a first write that succeeded, or whose error does not belong to a datagram
     */
    void finish(
            ChannelFuture first,
            int packets,
            ReferenceCounted datagram,
            ChannelOutboundInvoker to,
            ChannelFutureListener sent)
            throws Exception {
        PacketError error = errorOf(first);
        if (error == null || !error.isReported()) {
            datagram.release();
            end(first, packets, sent);
            return;
        }
        to.writeAndFlush(datagram).addListener((ChannelFuture second) -> {
            if (second.isSuccess()) {
                counts.countRetried(error, 1);
            } else {
                end(second, packets, sent);
            }
        });
    }

    private void end(ChannelFuture write, int packets, ChannelFutureListener sent) throws Exception {
        PacketError error = errorOf(write);
        if (error == null) {
            sent.operationComplete(write);
        } else {
            counts.countFailed(error, packets);
        }
    }

    private static @Nullable PacketError errorOf(ChannelFuture write) {
        return write.isSuccess() ? null : PacketError.of(NettyIo.reason(write.cause()));
    }

    /** Counts an error that receiving reported; returns false if it is not one of an earlier datagram. */
    boolean countReported(IOException reason) {
        PacketError error = PacketError.of(reason);
        if (error == null || !error.isReported()) {
            return false;
        }
        counts.countRetried(error, 1);
        return true;
    }

    void putMetadata(Map<String, Object> into) {
        counts.putMetadata(into);
    }
}
