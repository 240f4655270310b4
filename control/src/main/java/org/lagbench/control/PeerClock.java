package org.lagbench.control;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;

/**
 * The clock of a sender on another host as its messages show it, against which the stamps that it reports are checked.
 * For one thread at a time.
 */
public final class PeerClock {
    /** Tolerance for the drift of the clocks, and for messages whose path is longer than that of the packets. */
    private static final long MARGIN_NS = TimeUnit.SECONDS.toNanos(1);

    private long firstNs = Long.MAX_VALUE;
    private long aheadNs = Long.MIN_VALUE;

    /**
     * Adds the stamp of a message. The first precedes the packets of the run.
     *
     * @param sentNs when it was sent, by the sender's clock
     * @param receivedNs when it arrived, by this host's clock
     */
    public void add(long sentNs, long receivedNs) {
        firstNs = Math.min(firstNs, sentNs);
        aheadNs = Math.max(aheadNs, sentNs - receivedNs);
    }

    /**
     * Returns the first packet of a copied capture that was not sent between the first message and now, as a part of a
     * sentence; null if there is none.
     *
     * @param stepsNs the sum of the steps of both clocks during the run
     * @throws LagbenchException if the capture cannot be read
     */
    public @Nullable String impossible(Path senderCapture, long stepsNs) throws LagbenchException {
        long marginNs = stepsNs + MARGIN_NS;
        long fromNs = firstNs - marginNs;
        long untilNs = RealtimeClock.nowNs() + aheadNs + marginNs;
        try (CaptureReader capture = CaptureReader.open(senderCapture)) {
            int field = capture.field("sent_ns");
            for (long record = 0; record < capture.records(); record++) {
                long sentNs = capture.value(record, field);
                if (sentNs < fromNs || sentNs > untilNs) {
                    return "record " + record + " has a packet sent at " + sentNs
                            + " ns, while by its messages the run lasted from " + fromNs + " to " + untilNs + " ns";
                }
            }
        }
        return null;
    }
}
