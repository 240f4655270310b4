package org.lagbench.packetio.socket;

import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.linux.RecordedPackets;
import org.lagbench.packetio.linux.StreamPlace;

/**
 * Passes the segments of a TCP stream to a consumer with their offsets in the stream. Of two consecutive ones, these
 * differ by less than 2 GiB.
 */
final class SegmentOffsets implements RecordedPackets.Consumer {
    private final Segments consumer;
    private @Nullable StreamPlace last;
    private long lastNs;

    /** @param place a place in the stream; null to count the offsets from the first segment */
    SegmentOffsets(@Nullable StreamPlace place, Segments consumer) {
        this.last = place;
        this.consumer = consumer;
    }

    /** Accepts segments. */
    @FunctionalInterface
    interface Segments {
        /** Accepts a segment that arrived. */
        void segment(long offset, long bytes, long atNs);

        /** Accepts the number of the packet that a segment begins with, after the header of its frame. */
        default void begin(int packet, long offset) {}
    }

    @Override
    public void accept(long atNs, int sequence, long bytes, long reason) {
        StreamPlace before = last;
        if (bytes > 0) {
            // int arithmetic: sequence numbers wrap at 2³²
            long offset = before == null ? 0 : before.offset() + (sequence - before.sequence());
            last = new StreamPlace(sequence, offset);
            lastNs = atNs;
            consumer.segment(offset, bytes, atNs);
        } else if (before != null && lastNs == atNs) { // else the segment is missing
            consumer.begin(sequence, before.offset());
        }
    }
}
