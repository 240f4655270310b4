package org.lagbench.packetio.engine;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Receives the replies to a sender's packets. The sending thread calls all methods except {@link #close}, which any
 * thread may call. Waiting allocates nothing.
 */
abstract class Replies implements AutoCloseable {
    /** Packets are not answered. */
    static final Replies NONE = new Replies(null, 0) {};

    /** The reply timeout in ns. */
    final long timeoutNs;

    private final @Nullable PacketAccounting accounting;

    /** @param accounting counts and records the replies; null if there are none */
    Replies(@Nullable PacketAccounting accounting, long timeoutNs) {
        this.accounting = accounting;
        this.timeoutNs = timeoutNs;
    }

    /** Returns how a sender of a run receives replies. */
    static Replies of(SideConfig config) {
        ReceiverCapture capture = config.replies();
        if (capture == null) {
            return NONE;
        }
        PacketAccounting accounting = config.accounting(capture);
        long timeoutNs = config.traffic().replyTimeout().toNanos();
        return config.traffic().isPingPong()
                ? new PingPong(accounting, timeoutNs, !config.transport().wire().isStream())
                : new ReplyThread(accounting, timeoutNs);
    }

    /** Begins to receive replies at a connected sender. */
    void open(PacketSender sender) throws IOException, LagbenchException {}

    /** Returns whether each packet must be sent before the next one is prepared. */
    boolean sendsEach() {
        return false;
    }

    /** Waits until the next packet may be sent. */
    void await(long sequence) throws IOException {}

    /** Waits for the replies of recorded packets that have not come, but not longer than the reply timeout. */
    void drain() throws IOException {}

    /** Adds the counts: replies received (copies included), copies, and foreign packets at the sender's socket. */
    final void putMetadata(Map<String, Object> into) {
        if (accounting != null) {
            ReceivedCounts counts = accounting.counts();
            into.put("repliesReceived", counts.received());
            into.put("repliesDuplicated", counts.duplicated());
            into.put("repliesForeign", counts.foreign());
        }
    }

    /** Receives no more replies. The sender has been closed. */
    @Override
    public void close() {}

    /**
     * Receives each reply in the sending thread before the next packet is sent. Where packets or replies can be lost,
     * the wait ends with the reply timeout.
     */
    private static final class PingPong extends Replies {
        private final PacketAccounting accounting;
        private final boolean canLose;
        private @Nullable PacketReceiver receiver;

        /** @param canLose whether packets and replies can be lost */
        PingPong(PacketAccounting accounting, long timeoutNs, boolean canLose) {
            super(accounting, timeoutNs);
            this.accounting = accounting;
            this.canLose = canLose;
        }

        @Override
        void open(PacketSender sender) throws IOException, LagbenchException {
            receiver = sender.openReplies(canLose ? timeoutNs : 0);
        }

        @Override
        boolean sendsEach() {
            return true;
        }

        @Override
        void await(long sequence) throws IOException {
            long beginNs = System.nanoTime();
            boolean hasTime = true;
            while (hasTime && !accounting.hasArrived(sequence)) {
                hasTime = receive(beginNs);
            }
        }

        @Override
        void drain() throws IOException {
            long beginNs = System.nanoTime();
            boolean hasTime = true;
            while (hasTime && !accounting.isComplete()) {
                hasTime = receive(beginNs);
            }
        }

        /** Makes one receive call; returns whether the wait may continue. */
        private boolean receive(long beginNs) throws IOException {
            PacketReceiver open = receiver;
            if (open == null || open.receive(accounting) == PacketReceiver.END) {
                throw new ClosedChannelException();
            }
            return !canLose || System.nanoTime() - beginNs < timeoutNs;
        }
    }

    /** Receives replies in a dedicated thread, while packets are sent on schedule. */
    private static final class ReplyThread extends Replies {
        private final PacketAccounting accounting;
        private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
        private volatile @Nullable ReceiveLoop loop;

        ReplyThread(PacketAccounting accounting, long timeoutNs) {
            super(accounting, timeoutNs);
            this.accounting = accounting;
        }

        @Override
        void open(PacketSender sender) throws IOException, LagbenchException {
            ReceiveLoop opened =
                    new ReceiveLoop(sender.openReplies(0), accounting, reason -> failure.compareAndSet(null, reason));
            loop = opened;
            opened.start();
        }

        @Override
        void await(long sequence) throws IOException {
            String reason = failure.getOpaque();
            if (reason != null) {
                throw new IOException(reason);
            }
        }

        @Override
        void drain() throws IOException {
            ReceiveLoop open = loop;
            if (open != null) {
                open.drain(TimeUnit.NANOSECONDS.toMillis(timeoutNs));
            }
            await(0);
        }

        @Override
        public void close() {
            ReceiveLoop open = loop;
            if (open != null) {
                open.close();
            }
        }
    }
}
