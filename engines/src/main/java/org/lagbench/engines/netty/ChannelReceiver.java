package org.lagbench.engines.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.engines.message.PushReceiver;
import org.lagbench.packetio.socket.StreamPackets;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Receives byte streams, each a channel. The first one that begins with the run's tag is the sender's; with transfers
 * more such streams follow. Splits a stream into packets; those of one read share the stamp taken when Netty passes the
 * bytes on. The event loop's thread does all of this.
 */
abstract class ChannelReceiver extends PushReceiver {
    private static final int MAXIMUM_PENDING = 64;
    private static final int TIMEOUT_S = 5;

    /** The kind of I/O. */
    protected final NettyIo io;

    /** Has one thread. */
    protected final EventLoopGroup eventLoop;

    /** Counts the packets of the sender's stream. */
    protected final StreamFramer framer;

    /** Streams that have not yet sent a tag, oldest first. */
    private final Deque<Stream> pending = new ArrayDeque<>();

    private final String medium;
    private volatile @Nullable Channel sender;

    /** Metadata of the sender's stream when it was identified. */
    private volatile Map<String, Object> lastSender = Map.of();

    /** @param medium what carries the packets, for messages: "TCP" */
    ChannelReceiver(SideConfig run, NettyIo io, EventLoopGroup eventLoop, String medium) {
        super(run);
        this.medium = medium;
        this.io = io;
        this.eventLoop = eventLoop;
        receiveIn(NettyIo.threadOf(eventLoop)); // before a packet makes it wait for the run
        this.framer = new StreamPackets(run, "sender", this::arrived, ByteBuffer::allocate);
    }

    /** Returns the channel of the sender's stream; null before it is identified and after it is closed. */
    protected final @Nullable Channel sender() {
        return sender;
    }

    /** Accepts no more streams. */
    protected abstract void stopListening();

    /** Returns whether a stream that sends no tag is closed after a time. */
    protected boolean expiresStreams() {
        return true;
    }

    /** Adds metadata of the connection of a sender's stream. */
    protected abstract void putSender(Channel stream, Map<String, Object> into) throws IOException;

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        Channel open = sender;
        if (open != null && open.isOpen()) {
            putSender(open, into);
        } else {
            into.putAll(lastSender);
        }
        framer.putMetadata(into);
    }

    /** Receives a stream. */
    protected final class Stream extends ChannelInboundHandlerAdapter {
        private @Nullable Channel channel;
        private long tag;
        private int tagBytes;

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // nothing depends on the end of the task
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
            if (sender != null && !run.hasTransfers()) {
                reject();
                return;
            }
            if (pending.size() == MAXIMUM_PENDING) {
                pending.removeFirst().reject();
            }
            pending.addLast(this);
            if (expiresStreams()) {
                context.executor().schedule(this::expire, TIMEOUT_S, TimeUnit.SECONDS);
            }
        }

        private void expire() {
            if (pending.remove(this)) {
                reject();
            }
        }

        private void reject() {
            accounting().countForeign();
            if (channel != null) {
                NettyIo.close(channel);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long receivedNs = RealtimeClock.nowNs();
            ByteBuf bytes = (ByteBuf) message;
            try {
                if ((channel == sender || isIdentified(bytes))
                        && NettyIo.frame(bytes, framer, accounting(), receivedNs)) {
                    replyToTransfer();
                }
            } catch (IOException e) {
                fail(e);
                NettyIo.close(context);
            } finally {
                bytes.release();
            }
        }

        private boolean isIdentified(ByteBuf bytes) throws IOException {
            for (; tagBytes < Long.BYTES && bytes.isReadable(); tagBytes++) {
                tag = tag << Byte.SIZE | bytes.readUnsignedByte();
            }
            if (tagBytes < Long.BYTES || !pending.remove(this)) {
                return false;
            }
            if (tag != run.tag() || sender != null) {
                reject();
                return false;
            }
            Channel identified = Objects.requireNonNull(channel);
            Map<String, Object> metadata = new HashMap<>();
            putSender(identified, metadata);
            lastSender = metadata;
            sender = identified;
            run.putTag(framer.buffer().clear());
            framer.begin();
            if (!run.hasTransfers()) {
                stopListening();
                pending.forEach(Stream::reject);
                pending.clear();
            }
            return true;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                NettyIo.close(context);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            Channel ended = channel;
            if (ended == null || ended != sender) {
                expire();
            } else if (!run.hasTransfers()) {
                end();
            } else {
                sender = null;
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (channel == sender && !isClosed()) {
                fail(new IOException(
                        "Receiving over " + medium + " on " + run.host() + " failed: "
                                + IoErrors.reason(NettyIo.reason(cause)),
                        cause));
            }
            NettyIo.close(context);
        }
    }

    private long arrived(ByteBuffer packets, int offset, long mediumStamp) {
        allocation.packet();
        return run.isAnswered() ? reply(packets, offset) : mediumStamp;
    }

    /** Sends a packet back with the stamp of its reply, and returns that stamp. */
    private long reply(ByteBuffer packets, int offset) {
        long repliedNs = PacketLayout.stamp(packets, offset, run.packetBytes());
        Channel to = sender;
        if (to != null) {
            ByteBuf copy = to.alloc().directBuffer(run.packetBytes());
            NettyIo.write(to, copy.writeBytes(packets.array(), packets.arrayOffset() + offset, run.packetBytes()));
        }
        return repliedNs;
    }

    private void replyToTransfer() {
        Channel to = sender;
        if (to != null) {
            NettyIo.write(to, Unpooled.wrappedBuffer(new byte[TransferSender.REPLY_BYTES]));
        }
    }
}
