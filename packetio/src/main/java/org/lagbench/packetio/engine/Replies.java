package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.Map;
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
interface Replies extends AutoCloseable {
    /** Packets are not answered. */
    Replies NONE = new Replies() {};

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
    default void open(PacketSender sender) throws IOException, LagbenchException {}

    /** Returns whether each packet must be sent before the next one is prepared. */
    default boolean sendsEach() {
        return false;
    }

    /** Waits until the next packet may be sent. */
    default void await(long sequence) throws IOException {}

    /** Waits for the answers of recorded packets that have not come, but not longer than the answer timeout. */
    default void drain() throws IOException {}

    /** Adds the counts of the answers to the metadata. */
    default void putMetadata(Map<String, Object> into) {}

    /** Receives no more answers. The sender has been closed. */
    @Override
    default void close() {}

    /** Adds the counts: replies received (copies included), copies, and foreign packets at the sender's socket. */
    static void putCounts(ReceivedCounts counts, Map<String, Object> into) {
        into.put("answersReceived", counts.received());
        into.put("answersDuplicated", counts.duplicated());
        into.put("answersForeign", counts.foreign());
    }
}
