package org.lagbench.engines.message;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.socket.StreamPackets;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;

/**
 * A queue of the replies that an interface passes on in its own threads, each with its stamp. One thread receives; any
 * thread may call the other methods.
 */
public final class ReplyQueue implements PacketReceiver {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Wakes the receiving thread. */
    private static final Reply END_OF_REPLIES = new Reply(ByteBuffer.allocate(0), 0, true);

    private final SideConfig run;
    private final @Nullable StreamFramer stream;
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private volatile long waitNs = POLL_NS;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;

    private record Reply(ByteBuffer bytes, long answeredNs, boolean isEnd) {}

    private ReplyQueue(SideConfig run, @Nullable StreamFramer stream) {
        this.run = run;
        this.stream = stream;
    }

    /** Creates a queue whose elements are whole replies. */
    public ReplyQueue(SideConfig run) {
        this(run, null);
    }

    /** Returns a queue whose elements are parts of a byte stream. */
    public static ReplyQueue ofStream(SideConfig run) {
        return new ReplyQueue(run, framer(run));
    }

    /** Returns a framer for a stream of replies. */
    public static StreamFramer framer(SideConfig run) {
        return new StreamPackets(run, "receiver", Arrival.ofReplies(run.packetBytes()), ByteBuffer::allocate);
    }

    /** Limits how long {@link #receive} waits; 0 for no limit. Returns this. */
    public ReplyQueue limitedTo(long timeoutNs) {
        waitNs = timeoutNs == 0 ? POLL_NS : Math.min(timeoutNs, POLL_NS);
        return this;
    }

    /** Adds a reply, or the next bytes of the stream of replies. */
    public void add(byte[] bytes, long answeredNs) {
        replies.add(new Reply(ByteBuffer.wrap(bytes), answeredNs, false));
    }

    /** Ends the replies: after the queued ones, {@link #receive} throws the failure, whose message is a sentence. */
    public void fail(IOException reason) {
        if (failure == null) {
            failure = reason;
        }
        replies.add(END_OF_REPLIES);
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        Reply reply = next(waitNs);
        if (reply == null) {
            return closed ? END : 0;
        }
        if (reply.isEnd) {
            return endOrFail();
        }
        return stream == null ? message(reply, accounting) : frame(stream, reply, accounting);
    }

    private static int frame(StreamFramer stream, Reply reply, PacketAccounting accounting) throws IOException {
        int framed = 0;
        ByteBuffer bytes = reply.bytes;
        for (int end = bytes.limit(); bytes.position() < end; bytes.limit(end)) {
            bytes.limit(Math.min(end, bytes.position() + stream.buffer().remaining()));
            stream.buffer().put(bytes);
            framed += stream.frame(accounting, reply.answeredNs);
        }
        return framed;
    }

    private @Nullable Reply next(long timeoutNs) throws IOException {
        try {
            return replies.poll(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("the run was stopped");
        }
    }

    private int endOrFail() throws IOException {
        replies.add(END_OF_REPLIES); // so that the next call also ends
        IOException reason = failure;
        if (closed || reason == null) {
            return END;
        }
        throw reason;
    }

    private int message(Reply reply, PacketAccounting accounting) {
        ByteBuffer packet = reply.bytes;
        if (packet.remaining() != run.packetBytes()) {
            accounting.countForeign();
        } else if (run.hasHeader()) {
            accounting.packet(packet, 0, reply.answeredNs, PacketLayout.sentNs(packet, 0));
        } else {
            accounting.nextPacket(reply.answeredNs, 0);
        }
        return 1;
    }

    /**
     * Waits for this many bytes of replies. Used instead of {@link #receive}.
     *
     * @return the stamp of the last of them
     * @throws IOException if they cannot come any more
     */
    public long await(int bytes) throws IOException {
        long answeredNs = 0;
        for (int received = 0; received < bytes; ) {
            Reply reply = next(Long.MAX_VALUE);
            if (reply != null && reply.isEnd) {
                endOrFail();
                throw new ClosedChannelException();
            } else if (reply != null) {
                received += reply.bytes.remaining();
                answeredNs = reply.answeredNs;
            }
        }
        return answeredNs;
    }

    /** Waits until the receiver ends the connection, and skips replies before that. */
    public void awaitEnd() throws IOException {
        Reply reply;
        do {
            reply = next(Long.MAX_VALUE);
        } while (reply == null || !reply.isEnd);
        replies.add(END_OF_REPLIES);
        IOException reason = failure;
        if (closed) {
            throw new ClosedChannelException();
        } else if (reason != null && !(reason.getCause() instanceof ClosedChannelException)) {
            throw reason;
        }
    }

    @Override
    public void close() {
        closed = true;
        replies.add(END_OF_REPLIES);
    }
}
