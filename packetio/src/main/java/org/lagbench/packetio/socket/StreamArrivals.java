package org.lagbench.packetio.socket;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.packetio.linux.RecordedPackets;

/**
 * When the packets of a TCP stream reached the kernel: each with the segment that brought the last of its bytes. The
 * packets are all that the stream carries, one after the other; the segment with the lowest sequence number begins the
 * first. Takes 8 bytes for each packet. Not thread-safe.
 */
public final class StreamArrivals implements PacketArrivals {
    private final int packetBytes;
    private final long[] arrivedNs;

    /** When a byte of a packet first arrived again, after all bytes of the packet had arrived. */
    private final Map<Long, Long> againNs = new HashMap<>();

    /** The bytes that have arrived: ranges from their first byte to that after their last. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    private StreamArrivals(int packetBytes, int packets) {
        this.packetBytes = packetBytes;
        this.arrivedNs = new long[packets];
    }

    /**
     * Finds the arrivals.
     *
     * @param packetBytes the size of each packet
     * @param packets the largest number of packets of the stream
     */
    public static StreamArrivals of(RecordedPackets segments, int packetBytes, int packets) {
        StreamArrivals arrivals = new StreamArrivals(packetBytes, packets);
        long[] lowest = {0};
        forEach(segments, 0, (offset, bytes, atNs) -> lowest[0] = Math.min(lowest[0], offset));
        forEach(segments, -lowest[0], arrivals::add);
        return arrivals;
    }

    private interface SegmentConsumer {
        void accept(long offset, long bytes, long atNs);
    }

    /** Passes the segments to a consumer, with the offset of the first one that arrived. */
    private static void forEach(RecordedPackets segments, long firstOffset, SegmentConsumer consumer) {
        segments.forEach(new RecordedPackets.Consumer() {
            private long offset = firstOffset;
            private int last;
            private boolean isFirst = true;

            @Override
            public void accept(long atNs, int sequence, long bytes, long reason) {
                offset += isFirst ? 0 : sequence - last; // int arithmetic: sequence numbers wrap at 2³²
                isFirst = false;
                last = sequence;
                consumer.accept(offset, bytes, atNs);
            }
        });
    }

    private void add(long from, long bytes, long atNs) {
        long to = from + bytes;
        long newFrom = from;
        long rangeFrom = from;
        long rangeTo = to;
        Map.Entry<Long, Long> range = ranges.floorEntry(from);
        if (range == null || range.getValue() < from) {
            range = ranges.ceilingEntry(from);
        }
        while (range != null && range.getKey() <= to) {
            stamp(newFrom, Math.min(range.getKey(), to), atNs);
            stampAgain(Math.max(range.getKey(), from), Math.min(range.getValue(), to), atNs);
            newFrom = Math.max(newFrom, range.getValue());
            rangeFrom = Math.min(rangeFrom, range.getKey());
            rangeTo = Math.max(rangeTo, range.getValue());
            ranges.remove(range.getKey());
            range = ranges.ceilingEntry(range.getKey());
        }
        stamp(newFrom, to, atNs);
        ranges.put(rangeFrom, rangeTo);
    }

    /** Stamps the packets of bytes that have not arrived before. */
    private void stamp(long from, long to, long atNs) {
        long end = Math.min(arrivedNs.length, (to + packetBytes - 1) / packetBytes);
        for (long packet = from / packetBytes; from < to && packet < end; packet++) {
            arrivedNs[(int) packet] = Math.max(arrivedNs[(int) packet], atNs);
        }
    }

    private void stampAgain(long from, long to, long atNs) {
        for (long packet = from / packetBytes; from < to && packet * packetBytes < to; packet++) {
            againNs.putIfAbsent(packet, atNs);
        }
    }

    /** Returns the number of bytes of the stream until the last one that arrived. */
    public long bytes() {
        return ranges.isEmpty() ? 0 : ranges.lastEntry().getValue();
    }

    /**
     * Returns when a packet arrived. It is {@link #UNKNOWN} if some of its bytes are not in the record, and if some
     * arrived twice before the packet was received: the kernel may have dropped the first.
     *
     * @param packet the packet's number in the stream, from 0
     */
    @Override
    public long arrivedNs(long packet, long receivedNs) {
        Map.Entry<Long, Long> range = ranges.floorEntry(packet * packetBytes);
        if (packet >= arrivedNs.length || range == null || range.getValue() < (packet + 1) * packetBytes) {
            return UNKNOWN;
        }
        long atNs = arrivedNs[(int) packet];
        return atNs > receivedNs || againNs.getOrDefault(packet, Long.MAX_VALUE) < receivedNs ? UNKNOWN : atNs;
    }
}
