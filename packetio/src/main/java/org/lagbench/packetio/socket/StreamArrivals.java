package org.lagbench.packetio.socket;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.packetio.linux.RecordedPackets;
import org.lagbench.packetio.linux.StreamPlace;

/**
 * When the packets of a TCP stream reached the kernel, or left it: each with the segment that had the last of its
 * bytes. The packets are all that the stream carries, one after the other. Takes 8 bytes for each packet. Not
 * thread-safe.
 */
public final class StreamArrivals implements PacketArrivals, PacketDepartures {
    private final int packetBytes;
    private final long[] arrivedNs;

    /** When a byte of a packet first arrived again, after all bytes of the packet had arrived. */
    private final Map<Long, Long> againNs = new HashMap<>();

    /** The bytes that have arrived: ranges from their first byte to that after their last. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    /** Creates an object of a stream of which nothing has arrived. */
    StreamArrivals(int packetBytes, int packets) {
        this.packetBytes = packetBytes;
        this.arrivedNs = new long[packets];
    }

    /**
     * Finds the arrivals in a stream that was recorded from its begin on: the segment with the lowest sequence number
     * begins the first packet.
     *
     * @param packetBytes the size of each packet
     * @param packets the largest number of packets of the stream
     */
    public static StreamArrivals of(RecordedPackets segments, int packetBytes, int packets) {
        StreamArrivals arrivals = new StreamArrivals(packetBytes, packets);
        long[] lowest = {0};
        segments.forEach(new SegmentOffsets(null, (offset, bytes, atNs) -> lowest[0] = Math.min(lowest[0], offset)));
        segments.forEach(
                new SegmentOffsets(null, (offset, bytes, atNs) -> arrivals.add(offset - lowest[0], bytes, atNs)));
        return arrivals;
    }

    /**
     * Finds the arrivals of the packets in a part of a stream.
     *
     * @param segments those that were recorded of the stream, with gaps of less than 2 GiB
     * @param place a place in the stream that is less than 2 GiB from the first of them
     * @param firstByte the number of bytes in the stream before the part
     * @param packetBytes the size of each packet
     * @param packets the number of packets in the part
     */
    public static StreamArrivals ofPart(
            RecordedPackets segments, StreamPlace place, long firstByte, int packetBytes, int packets) {
        StreamArrivals arrivals = new StreamArrivals(packetBytes, packets);
        segments.forEach(new SegmentOffsets(place, (offset, bytes, atNs) -> {
            long from = Math.max(0, offset - firstByte);
            long to = offset - firstByte + bytes;
            if (to > from) {
                arrivals.add(from, to - from, atNs);
            }
        }));
        return arrivals;
    }

    /** Adds bytes that arrived. */
    void add(long from, long bytes, long atNs) {
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
        long atNs = leftNs(packet);
        return atNs > receivedNs || againNs.getOrDefault(packet, Long.MAX_VALUE) < receivedNs ? UNKNOWN : atNs;
    }

    @Override
    public long leftNs(long packet) {
        Map.Entry<Long, Long> range = ranges.floorEntry(packet * packetBytes);
        return packet < arrivedNs.length && range != null && range.getValue() >= (packet + 1) * packetBytes
                ? arrivedNs[(int) packet]
                : UNKNOWN;
    }

    @Override
    public boolean hasCopies() {
        return !againNs.isEmpty();
    }
}
