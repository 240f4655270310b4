package org.lagbench.packetio.socket;

import java.util.Arrays;
import org.lagbench.packetio.linux.RecordedPackets;
import org.lagbench.packetio.transport.DatagramReads;

/**
 * When the datagrams that brought packets reached the kernel, by the marks of those that the receiver read. Takes 16
 * bytes for each datagram. Not thread-safe.
 */
public final class MarkedArrivals implements PacketArrivals {
    private final DatagramReads reads;

    /**
     * The datagrams that arrived, sorted: the mark of each in the upper half, its index in {@link #atNs} in the lower.
     */
    private final long[] marks;

    private final long[] atNs;

    private MarkedArrivals(DatagramReads reads, long[] marks, long[] atNs) {
        this.reads = reads;
        this.marks = marks;
        this.atNs = atNs;
    }

    /**
     * Finds the arrivals.
     *
     * @param recorded the datagrams that arrived, with their marks in place of sequence numbers
     */
    public static MarkedArrivals of(RecordedPackets recorded, DatagramReads reads) {
        int[] count = {0};
        recorded.forEach((arrivedNs, mark, bytes, reason) -> count[0]++);
        long[] marks = new long[count[0]];
        long[] atNs = new long[count[0]];
        count[0] = 0;
        recorded.forEach((arrivedNs, mark, bytes, reason) -> {
            int at = count[0]++;
            marks[at] = startOf(Integer.toUnsignedLong(mark)) + at;
            atNs[at] = arrivedNs;
        });
        Arrays.sort(marks);
        return new MarkedArrivals(reads, marks, atNs);
    }

    private static long startOf(long mark) {
        return mark << Integer.SIZE;
    }

    /**
     * Returns when the datagram arrived that the receiver had read last when it received a packet. It is
     * {@link #UNKNOWN} if that datagram is not in the record, or two with its mark are.
     */
    @Override
    public long arrivedNs(long packet, long receivedNs) {
        int read = lastReadUntil(receivedNs);
        if (read < 0 || reads.mark(read) == DatagramReads.UNKNOWN) {
            return UNKNOWN;
        }
        long mark = reads.mark(read);
        int insertion = Arrays.binarySearch(marks, startOf(mark));
        int first = insertion < 0 ? -1 - insertion : insertion;
        boolean isOnlyOne = isOf(first, mark) && !isOf(first + 1, mark);
        return isOnlyOne && atNs[(int) marks[first]] <= reads.readNs(read) ? atNs[(int) marks[first]] : UNKNOWN;
    }

    private boolean isOf(int index, long mark) {
        return index < marks.length && marks[index] >>> Integer.SIZE == mark;
    }

    private int lastReadUntil(long receivedNs) {
        int low = 0;
        int high = reads.count();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (reads.readNs(middle) <= receivedNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
