package org.lagbench.receiver;

import org.lagbench.control.ControlMessage;
import org.lagbench.core.run.RunRecord;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/** The counts of a run's recorded packets, for {@code run.json}. */
final class RecordedCounts {
    private RecordedCounts() {}

    /**
     * Returns the counts of a run that has ended.
     *
     * @param counts the packets received, those of the lead-in and the lead-out too
     * @param leadInReceived packets of the lead-in received
     * @param dropsSinceLeadIn packets that the kernel dropped since the lead-in began; negative if it does not count
     *     them
     */
    static RunRecord.Counts of(
            ControlMessage.Offer offer, ReceivedCounts counts, long leadInReceived, long dropsSinceLeadIn) {
        return new RunRecord.Counts(
                counts.received(),
                counts.distinct(),
                counts.duplicated(),
                counts.reordered(),
                counts.foreign(),
                counts.unrecorded(),
                dropsSinceLeadIn < 0 ? dropsSinceLeadIn : drops(offer, counts, leadInReceived, dropsSinceLeadIn));
    }

    /**
     * Returns how many of the recorded packets this host dropped. The kernel's count includes packets of the lead-in
     * and the lead-out. This method assumes that the kernel dropped all lost packets of the lead-in and the lead-out.
     * After a flood, the result may be up to 16 too large if recorded and other packets were lost. The reason: packets
     * of the warm-up may still be in transit when the lead-in begins.
     */
    private static long drops(
            ControlMessage.Offer offer, ReceivedCounts counts, long leadInReceived, long dropsSinceLeadIn) {
        long lost = offer.point().stampedPackets() - counts.distinct();
        long leadInLost = Math.max(0, offer.leadInPackets() - leadInReceived);
        long leadOutLost = Math.max(0, offer.leadOutPackets() - counts.leadOutReceived());
        return Math.max(0, Math.min(lost, dropsSinceLeadIn - leadInLost - leadOutLost));
    }
}
