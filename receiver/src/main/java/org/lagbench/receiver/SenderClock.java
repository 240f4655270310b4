package org.lagbench.receiver;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The sender's clock as its pings show it, against which the stamps that it reports are checked. Each run has a ping
 * before its packets. For one thread at a time.
 */
final class SenderClock {
    /** For the drift of the clocks, and for a longer way of the pings than of the packets. */
    private static final long MARGIN_NS = TimeUnit.SECONDS.toNanos(1);

    private long firstNs = Long.MAX_VALUE;
    private long aheadNs = Long.MIN_VALUE;

    /**
     * Adds a ping.
     *
     * @param sentNs when it was sent, by the sender's clock
     * @param receivedNs when it arrived, by this host's clock
     */
    void addPing(long sentNs, long receivedNs) {
        firstNs = Math.min(firstNs, sentNs);
        aheadNs = Math.max(aheadNs, sentNs - receivedNs);
    }

    /**
     * Checks that all packets of a copied capture were sent between the first ping and now.
     *
     * @param stepsNs the sum of the steps of both clocks during the run
     * @param peer the sender's address, for the message
     * @throws LagbenchException with {@link ExitCode#BROKEN} if one was not, or if the capture cannot be read
     */
    void check(Path file, long stepsNs, String peer) throws LagbenchException {
        long marginNs = stepsNs + MARGIN_NS;
        long fromNs = firstNs - marginNs;
        long untilNs = RealtimeClock.nowNs() + aheadNs + marginNs;
        try (CaptureReader capture = CaptureReader.open(file)) {
            int field = capture.field("sent_ns");
            for (long record = 0; record < capture.records(); record++) {
                long sentNs = capture.value(record, field);
                if (sentNs < fromNs || sentNs > untilNs) {
                    throw failure(
                            peer,
                            "record " + record + " has a packet sent at " + sentNs
                                    + " ns, while by the exchanges of clocks the run lasted from " + fromNs + " to "
                                    + untilNs + " ns");
                }
            }
        } catch (LagbenchException e) {
            throw e.exitCode() == ExitCode.BROKEN ? e : failure(peer, "an invalid capture (" + e.sentence() + ")");
        }
    }

    private static LagbenchException failure(String peer, String what) {
        return new LagbenchException(
                ExitCode.BROKEN, "The sender at " + peer + " reports what cannot be true: " + what + ".");
    }
}
