package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketSender;

/** Receives answers in a dedicated thread, while packets are sent on schedule. */
final class ReplyThread extends Replies {
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
