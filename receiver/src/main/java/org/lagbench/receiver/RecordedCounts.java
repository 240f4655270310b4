package org.lagbench.receiver;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.WindowCounts;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/** The counts of a run's recorded packets, for {@code run.json}. */
final class RecordedCounts {
    private static final long COUNTED_TOO_OFTEN = 16;

    private RecordedCounts() {}

    /**
     * Returns the counts of a run that has ended. Copies for which the capture had no room count as copies of packets
     * that were asked for.
     *
     * @param counts the packets received, those of the lead-in and the lead-out too
     * @param windows of these, the packets of observed windows; null without windows
     * @param leadInReceived packets of the lead-in received
     * @param dropsSinceLeadIn packets that the kernel dropped since the lead-in began, because a buffer was full;
     *     negative if it does not count them
     * @param damagedSinceLeadIn packets that arrived damaged since the lead-in began
     * @param recognized recorded drops of packets of the run, copies included; −1 if unknown
     * @param overflows lost packets asked for with such a drop
     */
    static RunRecord.Counts of(
            ControlMessage.Offer offer,
            ReceivedCounts counts,
            @Nullable WindowCounts windows,
            long leadInReceived,
            long dropsSinceLeadIn,
            long damagedSinceLeadIn,
            long recognized,
            long overflows) {
        WindowCounts others = windows == null ? new WindowCounts(0, 0, 0) : windows;
        long counted = dropsSinceLeadIn < 0
                ? dropsSinceLeadIn
                : drops(offer, counts, others.distinct(), leadInReceived, dropsSinceLeadIn, damagedSinceLeadIn);
        return new RunRecord.Counts(
                counts.received() - others.received(),
                counts.distinct() - others.distinct(),
                counts.duplicated() - (others.received() - others.distinct()),
                counts.reordered() - others.reordered(),
                counts.foreign(),
                counts.unrecorded(),
                recognized < 0 || dropsSinceLeadIn - recognized > COUNTED_TOO_OFTEN ? counted : overflows,
                windows);
    }

    /** Counts the packets of observed windows in a closed capture. */
    static WindowCounts windows(Point point, CaptureReader capture) throws LagbenchException {
        int field = capture.field("seq");
        BitSet arrived = new BitSet();
        long received = 0;
        long reordered = 0;
        long next = 0;
        for (long record = 0; record < capture.records(); record++) {
            long sequence = capture.value(record, field);
            if (sequence >= point.packets()) {
                int index = Math.toIntExact(sequence - point.packets());
                received++;
                reordered += sequence < next && !arrived.get(index) ? 1 : 0;
                arrived.set(index);
            }
            next = Math.max(next, sequence + 1);
        }
        return new WindowCounts(received, arrived.cardinality(), reordered);
    }

    /** Returns how many of these packets have no record in a closed capture. */
    static long missing(BitSet packets, CaptureReader capture) throws LagbenchException {
        BitSet missing = (BitSet) packets.clone();
        int field = capture.field("seq");
        for (long record = 0; record < capture.records(); record++) {
            missing.clear(Math.toIntExact(capture.value(record, field)));
        }
        return missing.cardinality();
    }

    /**
     * Returns how many of the packets asked for arrived damaged, so that the kernel or the receiver dropped them.
     *
     * @param asked the counts of the packets asked for
     * @param leadInReceived packets of the lead-in received
     * @param dropsSinceLeadIn packets that the kernel dropped because a buffer was full; negative if unknown
     * @param damagedSinceLeadIn damaged packets since the lead-in began
     */
    static long damaged(
            ControlMessage.Offer offer,
            ReceivedCounts counts,
            RunRecord.Counts asked,
            long leadInReceived,
            long dropsSinceLeadIn,
            long damagedSinceLeadIn) {
        WindowCounts windows = asked.windows();
        long others = othersLost(offer, counts, windows == null ? 0 : windows.distinct(), leadInReceived);
        long lost = offer.point().packets() - asked.distinct() - Math.max(0, asked.kernelDrops());
        return Math.max(
                0,
                Math.min(
                        lost, damagedSinceLeadIn - othersDamaged(offer, others, dropsSinceLeadIn, damagedSinceLeadIn)));
    }

    /**
     * Returns how many of the packets asked for this host dropped. The kernel's count includes packets of the lead-in,
     * the windows and the lead-out. This method assumes that the kernel dropped all undamaged lost packets of these.
     * After a flood, the result may be up to {@value COUNTED_TOO_OFTEN} too large if recorded and other packets were
     * lost. The reason: packets of the warm-up may still be in transit when the lead-in begins.
     */
    private static long drops(
            ControlMessage.Offer offer,
            ReceivedCounts counts,
            long inWindows,
            long leadInReceived,
            long dropsSinceLeadIn,
            long damagedSinceLeadIn) {
        Point point = offer.point();
        long windowsLost = point.stampedPackets() - point.packets() - inWindows;
        long lost = point.stampedPackets() - counts.distinct() - windowsLost;
        long others = othersLost(offer, counts, inWindows, leadInReceived);
        long othersDropped = others - othersDamaged(offer, others, dropsSinceLeadIn, damagedSinceLeadIn);
        return Math.max(0, Math.min(lost, dropsSinceLeadIn - othersDropped));
    }

    /**
     * Returns how many of the lost packets of the lead-in, the windows and the lead-out were damaged. Damage meets all
     * packets alike, while full buffers lose some in a row.
     *
     * @param lost packets of these that did not arrive
     */
    private static long othersDamaged(
            ControlMessage.Offer offer, long lost, long dropsSinceLeadIn, long damagedSinceLeadIn) {
        Point point = offer.point();
        long all = offer.leadInPackets() + point.stampedPackets() + offer.leadOutPackets();
        long expected = Math.round(damagedSinceLeadIn * (1 - (double) point.packets() / all));
        return Math.min(lost, Math.max(expected, lost - Math.max(0, dropsSinceLeadIn)));
    }

    /** Returns how many packets of the lead-in, the windows and the lead-out did not arrive. */
    private static long othersLost(
            ControlMessage.Offer offer, ReceivedCounts counts, long inWindows, long leadInReceived) {
        Point point = offer.point();
        return point.stampedPackets()
                - point.packets()
                - inWindows
                + Math.max(0, offer.leadInPackets() - leadInReceived)
                + Math.max(0, offer.leadOutPackets() - counts.leadOutReceived());
    }
}
