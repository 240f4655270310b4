package org.lagbench.analysis.join;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The join of captures in which packets were reordered, duplicated or never sent.
 *
 * @param skipped the receiver's records of duplicates and of packets that were never sent; null if every record counts
 */
record AnyOrderJoin(RunPacketCounts counts, LagRange lags, @Nullable BitSet skipped) {
    /** Returns the field of the time of arrival: of packets, or of replies. */
    static int arrivalField(CaptureReader arrivals) throws LagbenchException {
        int answered = arrivals.fields().indexOf(ReceiverCapture.REPLY_FIELDS.get(1));
        return answered < 0 ? arrivals.field("received_ns") : answered;
    }

    /**
     * Scans arrivals.
     *
     * @param received the number of the receiver's records that count
     * @throws LagbenchException if a capture cannot be read or is corrupt
     */
    static AnyOrderJoin of(SenderStamps sender, CaptureReader receiver, long received) throws LagbenchException {
        int sequence = receiver.field("seq");
        int receivedNs = arrivalField(receiver);
        long sent = sender.records();
        BitSet seen = new BitSet(Math.toIntExact(sent));
        BitSet skipped = new BitSet(); // usually stays empty
        long unmatched = 0;
        long inFlight = 0; // packets that count as in flight, because their replies were
        long reordered = 0;
        long negativeLags = 0;
        long minNs = Long.MAX_VALUE;
        long maxNs = Long.MIN_VALUE;
        long nextExpected = 0;
        for (long arrival = 0; arrival < received; arrival++) {
            long packet = receiver.value(arrival, sequence);
            if (packet < 0) {
                throw ExitCode.FILES.failure("The capture " + receiver.path() + " is corrupt: its record " + arrival
                        + " has sequence number " + packet + ".");
            }
            if (packet >= sent) {
                if (packet < sender.allRecords()) {
                    inFlight++;
                } else {
                    unmatched++;
                }
                skipped.set(Math.toIntExact(arrival));
            } else if (seen.get((int) packet)) {
                skipped.set(Math.toIntExact(arrival));
            } else {
                seen.set((int) packet);
                reordered += packet < nextExpected ? 1 : 0;
                nextExpected = Math.max(nextExpected, packet + 1);
                long arrivedNs = receiver.value(arrival, receivedNs);
                long sentNs = sender.sentNs(packet);
                negativeLags += arrivedNs < sentNs ? 1 : 0;
                minNs = Math.min(minNs, arrivedNs - sentNs);
                maxNs = Math.max(maxNs, arrivedNs - sentNs);
            }
        }
        long skippedCount = skipped.cardinality();
        return new AnyOrderJoin(
                new RunPacketCounts(
                        sent,
                        received,
                        sent - (received - skippedCount),
                        skippedCount - unmatched - inFlight,
                        reordered,
                        unmatched,
                        negativeLags),
                new LagRange(minNs, maxNs),
                skippedCount == 0 ? null : skipped);
    }
}
