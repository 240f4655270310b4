package org.lagbench.packetio.socket;

import org.lagbench.packetio.linux.RecordedPackets;
import org.lagbench.packetio.transport.DatagramMarks;

/**
 * When the datagrams that brought packets reached the kernel, by the marks of those that the receiver read. Takes 16
 * bytes for each datagram. Not thread-safe.
 */
public final class MarkedArrivals implements PacketArrivals {
    private final DatagramMarks reads;

    private final MarkIndex arrived;
    private final long[] atNs;

    private MarkedArrivals(DatagramMarks reads, MarkIndex arrived, long[] atNs) {
        this.reads = reads;
        this.arrived = arrived;
        this.atNs = atNs;
    }

    /**
     * Finds the arrivals.
     *
     * @param recorded the datagrams that arrived, with their marks in place of sequence numbers
     */
    public static MarkedArrivals of(RecordedPackets recorded, DatagramMarks reads) {
        int[] count = {0};
        recorded.forEach((arrivedNs, mark, bytes, reason) -> count[0]++);
        long[] marks = new long[count[0]];
        long[] atNs = new long[count[0]];
        count[0] = 0;
        recorded.forEach((arrivedNs, mark, bytes, reason) -> {
            int at = count[0]++;
            marks[at] = Integer.toUnsignedLong(mark);
            atNs[at] = arrivedNs;
        });
        return new MarkedArrivals(reads, new MarkIndex(marks.length, at -> marks[at]), atNs);
    }

    /**
     * Returns when the datagram arrived that the receiver had read last when it received a packet. It is
     * {@link #UNKNOWN} if that datagram is not in the record, or two with its mark are.
     */
    @Override
    public long arrivedNs(long packet, long receivedNs) {
        int read = lastReadUntil(receivedNs);
        if (read < 0 || reads.mark(read) == DatagramMarks.UNKNOWN) {
            return UNKNOWN;
        }
        int at = arrived.find(reads.mark(read));
        return at >= 0 && atNs[at] <= reads.passedNs(read) ? atNs[at] : UNKNOWN;
    }

    private int lastReadUntil(long receivedNs) {
        int low = 0;
        int high = reads.count();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (reads.passedNs(middle) <= receivedNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
