package org.lagbench.packetio.socket;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.run.Framing;
import org.lagbench.packetio.linux.RecordedPackets;

/**
 * When the packets of a TCP stream reached the kernel, or left it, in frames of a protocol: packets behind headers, and
 * perhaps other messages between them. A segment that begins with a frame shows where its packet begins. Between two
 * such segments, the minimum size of the frames limits where each packet ends. A packet has a time if one segment
 * brought all bytes that may be its last one. Takes 24 bytes for each packet. Not thread-safe.
 */
public final class FrameArrivals implements PacketArrivals, PacketDepartures {
    private static final long UNLOCATED = -1;

    private final Framing framing;
    private final int packetBytes;
    private final long warmUpPackets;

    /** The last packet of the warm-up of which the offset is known, and that offset. */
    private int before = Integer.MIN_VALUE;

    private long beginBefore = UNLOCATED;

    /** The first packet of the lead-out of which the offset is known, and that offset. */
    private int after;

    private long beginAfter = UNLOCATED;

    /** The offsets in the stream at which packets begin at the earliest. */
    private final long[] begins;

    /** The offsets at which they end at the latest. */
    private final long[] ends;

    /** The packets of which both are known, in ascending order. */
    private final int[] located;

    /** The stream without all that is not of these packets. */
    private final StreamArrivals packets;

    /** When another segment than that with a packet's last byte brought what may be its last byte; 0 if unknown. */
    private final Map<Integer, Long> restNs = new HashMap<>();

    private FrameArrivals(RecordedPackets recorded, Framing framing, int packetBytes, long warmUpPackets, int packets) {
        this.framing = framing;
        this.warmUpPackets = warmUpPackets;
        this.packetBytes = packetBytes;
        this.begins = new long[packets];
        this.ends = new long[packets];
        this.packets = new StreamArrivals(packetBytes, packets);
        Arrays.fill(begins, UNLOCATED);
        Arrays.fill(ends, UNLOCATED);
        recorded.forEach(new SegmentOffsets(null, new Begins()));
        this.located = locate();
    }

    /**
     * Finds the arrivals.
     *
     * @param recorded the segments, and the sequence numbers of the packets that they begin with
     * @param framing the minimum that surrounds a packet
     * @param packetBytes the size of each packet
     * @param warmUpPackets the number of packets before these, whose sequence numbers end with -1; smaller ones are of
     *     packets after these
     * @param packets the number of packets, whose sequence numbers begin with 0
     */
    public static FrameArrivals of(
            RecordedPackets recorded, Framing framing, int packetBytes, long warmUpPackets, int packets) {
        FrameArrivals arrivals = new FrameArrivals(recorded, framing, packetBytes, warmUpPackets, packets);
        recorded.forEach(new SegmentOffsets(null, arrivals::add));
        return arrivals;
    }

    private final class Begins implements SegmentOffsets.Segments {
        @Override
        public void segment(long offset, long bytes, long atNs) {}

        @Override
        public void begin(int packet, long offset) {
            long begin = offset + framing.headerBytes();
            if (packet >= 0 && packet < begins.length) {
                begins[packet] = begin;
            } else if (packet < -warmUpPackets && packet <= after) {
                after = packet;
                beginAfter = begin;
            } else if (packet >= -warmUpPackets && packet < 0 && packet >= before) {
                before = packet;
                beginBefore = begin;
            }
        }
    }

    private int[] locate() {
        int last = before;
        long lastBegin = beginBefore;
        for (int packet = 0; packet <= begins.length; packet++) {
            // a later packet of the lead-out may take the place of its first one: then it limits less
            long begin = packet < begins.length ? begins[packet] : beginAfter;
            if (begin != UNLOCATED) {
                if (lastBegin != UNLOCATED) {
                    locateBetween(last, lastBegin, packet, begin);
                }
                last = packet;
                lastBegin = begin;
            }
        }
        int[] found = new int[begins.length];
        int count = 0;
        for (int packet = 0; packet < begins.length; packet++) {
            if (ends[packet] != UNLOCATED && (count == 0 || begins[packet] >= begins[found[count - 1]])) {
                found[count++] = packet;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Locates the packets from one whose begin is known to the next one of these. */
    private void locateBetween(int first, long firstBegin, int next, long nextBegin) {
        long minBytes = framing.frameBytes(packetBytes) - framing.sharedBytes();
        long others = nextBegin - framing.headerBytes() - firstBegin - packetBytes - (next - 1L - first) * minBytes;
        for (int packet = Math.max(0, first); packet < next && others >= 0; packet++) {
            begins[packet] = firstBegin + (packet - first) * minBytes;
            ends[packet] = begins[packet] + packetBytes + (framing.isWhole() && packet == first ? 0 : others);
        }
    }

    private void add(long from, long bytes, long atNs) {
        long to = from + bytes;
        for (int i = firstThatEndsAfter(from); i < located.length && begins[located[i]] < to; i++) {
            int packet = located[i];
            long begin = begins[packet];
            long endOfBytes = begin + packetBytes;
            long first = Math.max(begin, from);
            if (first < endOfBytes) {
                long count = Math.min(to, endOfBytes) - first;
                packets.add((long) packet * packetBytes + first - begin, count, atNs);
            }
            if (from >= endOfBytes) {
                restNs.merge(packet, atNs, (known, other) -> known == 0 ? other : Math.min(known, other));
            } else if (to >= endOfBytes && to < ends[packet]) {
                restNs.putIfAbsent(packet, 0L);
            }
        }
    }

    private int firstThatEndsAfter(long offset) {
        int low = 0;
        int high = located.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[located[middle]] > offset) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * Returns when a packet arrived. It is {@link #UNKNOWN} if it is not known where the packet is in the stream or
     * which segment brought its last byte, and where {@link StreamArrivals#arrivedNs} does not know it.
     *
     * @param packet its sequence number
     */
    @Override
    public long arrivedNs(long packet, long receivedNs) {
        return restNs.getOrDefault((int) packet, Long.MAX_VALUE) < receivedNs
                ? UNKNOWN
                : packets.arrivedNs(packet, receivedNs);
    }

    @Override
    public long leftNs(long packet) {
        return restNs.containsKey((int) packet) ? UNKNOWN : packets.leftNs(packet);
    }

    @Override
    public boolean hasCopies() {
        return packets.hasCopies();
    }
}
