package org.lagbench.packetio.socket;

import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.run.Framing;
import org.lagbench.packetio.linux.RecordedPackets;
import org.lagbench.packetio.transport.DatagramMarks;

/**
 * When the recorded packets of a run reached the kernel in UDP datagrams, or left it: each with the datagram that has
 * its sequence number. Takes 8 bytes for each packet. Not thread-safe.
 */
public final class DatagramArrivals implements PacketArrivals, PacketDepartures {
    private final long[] arrivedNs;

    /** When packets that had arrived arrived again. */
    private final Map<Integer, Long> againNs = new HashMap<>();

    private DatagramArrivals(int packets) {
        this.arrivedNs = new long[packets];
    }

    /**
     * Finds the arrivals.
     *
     * @param framing what surrounds the packets of a datagram, whose sequence numbers are consecutive
     * @param packetBytes the size of each packet
     * @param warmUpPackets the number of packets before these
     * @param packets the number of packets, whose sequence numbers begin with 0
     */
    public static DatagramArrivals of(
            RecordedPackets recorded, Framing framing, int packetBytes, long warmUpPackets, int packets) {
        DatagramArrivals arrivals = new DatagramArrivals(packets);
        Framing.NumberField number = framing.number();
        recorded.forEach((atNs, sequence, bytes, reason) -> {
            int first = number == null ? sequence : Math.toIntExact(number.index(sequence) - warmUpPackets);
            long end = Math.min(first + framing.packets(bytes, packetBytes), packets);
            for (int packet = Math.max(first, 0); packet < end; packet++) {
                arrivals.add(packet, atNs);
            }
        });
        return arrivals;
    }

    /**
     * Finds the departures of packets whose datagrams have marks, each in its own.
     *
     * @param recorded the datagrams that left, with their marks in place of sequence numbers
     * @param written those of the packets, in their order
     * @param packetBytes the size of each packet, which is less than that of its datagram but not of another one
     */
    public static DatagramArrivals ofMarked(
            RecordedPackets recorded, DatagramMarks written, int packetBytes, long warmUpPackets, int packets) {
        MarkIndex index = new MarkIndex(written.count(), written::mark);
        RecordedPackets numbered = consumer -> recorded.forEach((leftNs, mark, bytes, reason) -> {
            int number = bytes > packetBytes ? index.find(Integer.toUnsignedLong(mark)) : -1;
            if (number >= 0) {
                consumer.accept(leftNs, number - (int) warmUpPackets, packetBytes, reason);
            }
        });
        return of(numbered, Framing.NONE, packetBytes, warmUpPackets, packets);
    }

    private void add(int packet, long atNs) {
        long otherNs = arrivedNs[packet];
        arrivedNs[packet] = otherNs == UNKNOWN ? atNs : Math.min(otherNs, atNs);
        if (otherNs != UNKNOWN) {
            againNs.merge(packet, Math.max(otherNs, atNs), Math::min);
        }
    }

    /**
     * Returns when a packet arrived. It is {@link #UNKNOWN} if the packet is not in the record, and if it arrived twice
     * before it was received: the kernel may have dropped the first copy.
     *
     * @param packet its sequence number
     */
    @Override
    public long arrivedNs(long packet, long receivedNs) {
        long atNs = leftNs(packet);
        return atNs > receivedNs || againNs.getOrDefault((int) packet, Long.MAX_VALUE) < receivedNs ? UNKNOWN : atNs;
    }

    @Override
    public long leftNs(long packet) {
        return arrivedNs[(int) packet];
    }

    @Override
    public boolean hasCopies() {
        return !againNs.isEmpty();
    }
}
