package org.lagbench.analysis.summary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;

/**
 * The replies of a run of round trips in progress: joins the sender's captures, which grow meanwhile. For short runs:
 * it holds a bit for each packet. Not thread-safe.
 */
public final class LiveReplies implements AutoCloseable {
    private final CaptureReader sent;
    private final CaptureReader received;
    private final int sentNs;
    private final int sequence;
    private final int answeredNs;
    private final BitSet replied = new BitSet();
    private long nextReply;
    private int nextPacket;

    private LiveReplies(CaptureReader sent, CaptureReader received) throws LagbenchException {
        this.sent = sent;
        this.received = received;
        this.sentNs = sent.field("sent_ns");
        this.sequence = received.field("seq");
        this.answeredNs = received.field("answered_ns");
    }

    /**
     * A reply that arrived.
     *
     * @param packet the number of its packet, from 0
     * @param roundTripNs from before the call that sent the packet until after the call that received the reply
     * @param isCopy whether an earlier reply belongs to the same packet
     */
    public record Reply(int packet, long roundTripNs, boolean isCopy) {}

    /** Returns whether the sender has created its captures in the directory of a run. */
    public static boolean isBegun(Path runDirectory) {
        return isCreated(runDirectory.resolve(SenderCapture.FILE_NAME))
                && isCreated(runDirectory.resolve(ReceiverCapture.REPLIES_FILE_NAME));
    }

    private static boolean isCreated(Path capture) {
        return capture.toFile().length() > 0; // a single write call writes the whole header
    }

    /** Opens the sender's captures in the directory of a run. */
    public static LiveReplies open(Path runDirectory) throws LagbenchException {
        CaptureReader sent = CaptureReader.open(runDirectory.resolve(SenderCapture.FILE_NAME));
        try {
            return new LiveReplies(sent, CaptureReader.open(runDirectory.resolve(ReceiverCapture.REPLIES_FILE_NAME)));
        } catch (LagbenchException e) {
            sent.close();
            throw e;
        }
    }

    /** Returns the replies since the previous call. */
    public List<Reply> next() throws LagbenchException {
        long replies = received.update();
        long packets = sent.update();
        List<Reply> next = new ArrayList<>();
        // a reply may be recorded before its packet
        for (; nextReply < replies && received.value(nextReply, sequence) < packets; nextReply++) {
            int packet = (int) received.value(nextReply, sequence);
            long roundTripNs = received.value(nextReply, answeredNs) - sent.value(packet, sentNs);
            next.add(new Reply(packet, roundTripNs, replied.get(packet)));
            replied.set(packet);
        }
        return next;
    }

    /**
     * Returns the packets without a reply so far that no earlier call returned.
     *
     * @param beforeNs only of the packets sent before this time, CLOCK_REALTIME in ns
     */
    public List<Integer> withoutReply(long beforeNs) throws LagbenchException {
        List<Integer> without = new ArrayList<>();
        for (; nextPacket < sent.records() && sent.value(nextPacket, sentNs) < beforeNs; nextPacket++) {
            if (!replied.get(nextPacket)) {
                without.add(nextPacket);
            }
        }
        return without;
    }

    /** Returns how many packets were sent before the last call of {@link #next}. */
    public long sent() {
        return sent.records();
    }

    @Override
    public void close() throws LagbenchException {
        try (received) {
            sent.close();
        }
    }
}
