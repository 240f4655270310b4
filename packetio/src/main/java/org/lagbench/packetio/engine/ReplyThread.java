package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketSender;

/** Receives answers in a dedicated thread, while packets are sent on schedule. */
final class ReplyThread implements Replies {
    private final PacketAccounting accounting;
    private final long timeoutNs;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private volatile @Nullable ReceiveLoop loop;

    /**
     * Creates an object for a run.
     *
     * @param accounting counts and records the answers
     * @param timeoutNs the answer timeout in ns
     */
    ReplyThread(PacketAccounting accounting, long timeoutNs) {
        this.accounting = accounting;
        this.timeoutNs = timeoutNs;
    }

    @Override
    public void open(PacketSender sender) throws IOException, LagbenchException {
        ReceiveLoop opened =
                new ReceiveLoop(sender.openReplies(0), accounting, reason -> failure.compareAndSet(null, reason));
        loop = opened;
        opened.start();
    }

    @Override
    public void await(long sequence) throws IOException {
        String reason = failure.getOpaque();
        if (reason != null) {
            throw new IOException(reason);
        }
    }

    @Override
    public void drain() throws IOException {
        ReceiveLoop open = loop;
        if (open != null) {
            open.drain(TimeUnit.NANOSECONDS.toMillis(timeoutNs));
        }
        await(0);
    }

    @Override
    public void putMetadata(Map<String, Object> into) {
        Replies.putCounts(accounting.counts(), into);
    }

    @Override
    public void close() {
        ReceiveLoop open = loop;
        if (open != null) {
            open.close();
        }
    }
}
