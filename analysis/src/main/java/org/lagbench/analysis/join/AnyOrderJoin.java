package org.lagbench.analysis.join;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Joins captures of which some packets overtook others, or came twice, or were not sent. */
final class AnyOrderJoin {
    private final SenderStamps sender;
    private final CaptureReader receiver;

    /** The packets of which a copy came. */
    private final PacketBits seen;

    private @Nullable PacketBits skipped;
    private long duplicated;
    private long reordered;
    private long unmatched;
    private long negativeLags;

    private AnyOrderJoin(SenderStamps sender, CaptureReader receiver) {
        this.sender = sender;
        this.receiver = receiver;
        this.seen = new PacketBits(sender.records());
    }

    /**
     * Goes through all arrivals.
     *
     * @throws LagbenchException with {@link ExitCode#FILES}, if a capture cannot be read or is corrupt
     */
    static AnyOrderJoin of(SenderStamps sender, CaptureReader receiver) throws LagbenchException {
        AnyOrderJoin join = new AnyOrderJoin(sender, receiver);
        join.scanArrivals();
        return join;
    }

    private void scanArrivals() throws LagbenchException {
        int sequence = receiver.field("seq");
        int receivedNs = receiver.field("received_ns");
        long nextExpected = 0;
        for (long arrival = 0; arrival < receiver.records(); arrival++) {
            long packet = receiver.value(arrival, sequence);
            if (packet < 0) {
                throw new LagbenchException(
                        ExitCode.FILES,
                        "The capture " + receiver.path() + " is corrupt: its record " + arrival
                                + " has sequence number " + packet + ".");
            }
            if (packet >= sender.records()) {
                unmatched++;
                skip(arrival);
            } else if (seen.isSet(packet)) {
                duplicated++;
                skip(arrival);
            } else {
                seen.set(packet);
                if (packet < nextExpected) {
                    reordered++;
                } else {
                    nextExpected = packet + 1;
                }
                if (receiver.value(arrival, receivedNs) < sender.sentNs(packet)) {
                    negativeLags++;
                }
            }
        }
    }

    RunPacketCounts counts() {
        long sent = sender.records();
        long received = receiver.records();
        long lost = sent - (received - duplicated - unmatched);
        return new RunPacketCounts(sent, received, lost, duplicated, reordered, unmatched, negativeLags);
    }

    /** A bit for each record of the receiver that is no first copy of a packet sent; null if all are. */
    @Nullable
    PacketBits skipped() {
        return skipped;
    }

    private void skip(long arrival) {
        if (skipped == null) {
            skipped = new PacketBits(receiver.records());
        }
        skipped.set(arrival);
    }
}
