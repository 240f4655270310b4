package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.ReceivedCounts;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Receives the answers to a sender's packets. The sending thread calls all methods except {@link #close}, which any
 * thread may call. Waiting allocates nothing.
 */
abstract class Replies implements AutoCloseable {
    /** Packets are not answered. */
    static final Replies NONE = new Replies(null, 0) {};

    /** The answer timeout in ns. */
    final long timeoutNs;

    private final @Nullable PacketAccounting accounting;

    /** @param accounting counts and records the answers; null if there are none */
    Replies(@Nullable PacketAccounting accounting, long timeoutNs) {
        this.accounting = accounting;
        this.timeoutNs = timeoutNs;
    }

    /** Returns how a sender of a run receives answers. */
    static Replies of(SideConfig config) {
        ReceiverCapture capture = config.answers();
        if (capture == null) {
            return NONE;
        }
        PacketAccounting accounting = config.accounting(capture);
        long timeoutNs = config.traffic().answerTimeout().toNanos();
        return config.traffic().isPingPong()
                ? new PingPong(accounting, timeoutNs, !config.transport().isConnectionOriented())
                : new ReplyThread(accounting, timeoutNs);
    }

    /** Begins to receive answers at a connected sender. */
    void open(PacketSender sender) throws IOException, LagbenchException {}

    /** Returns whether each packet must be sent before the next one is prepared. */
    boolean sendsEach() {
        return false;
    }

    /** Waits until the next packet may be sent. */
    void await(long sequence) throws IOException {}

    /** Waits for the answers of recorded packets that have not come, but not longer than the answer timeout. */
    void drain() throws IOException {}

    /** Adds the counts: replies received (copies included), copies, and foreign packets at the sender's socket. */
    final void putMetadata(Map<String, Object> into) {
        if (accounting != null) {
            ReceivedCounts counts = accounting.counts();
            into.put("answersReceived", counts.received());
            into.put("answersDuplicated", counts.duplicated());
            into.put("answersForeign", counts.foreign());
        }
    }

    /** Receives no more answers. The sender has been closed. */
    @Override
    public void close() {}
}
