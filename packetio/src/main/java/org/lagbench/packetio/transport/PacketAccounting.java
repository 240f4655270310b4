package org.lagbench.packetio.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.lagbench.core.capture.ReceiverCapture;

/**
 * Distinguishes foreign, warm-up, recorded and lead-out packets, counts them, and appends recorded packets to the
 * capture in order of arrival. Duplicates are included as long as the first arrivals of all packets still have room.
 *
 * <p>A packet is <em>foreign</em> if its tag is not the run's or the run does not send its sequence number. It is
 * <em>damaged</em> if it has the run's tag, and its two numbers contradict each other, or if its tag is nearly the
 * run's. <em>Reordered</em> is Type-P-Reordered of RFC 4737 §3: its sequence number is smaller than the next one
 * expected. <em>Duplicated</em> counts copies beyond the first, RFC 5560 §3.
 *
 * <p>One thread calls {@link #packet}, {@link #reject} and {@link #countForeign}. Any thread may read the counters,
 * possibly late. Only the constructor allocates: one bit for each packet.
 */
public final class PacketAccounting {
    /** The value of {@code mediumStamp} if there is neither a bus cycle nor a kernel stamp. */
    public static final long NO_STAMP = -1;

    /** Tags are random: those of two runs differ in so few bits once in 10⁹ pairs. */
    private static final int DAMAGED_TAG_BITS = 8;

    private final long tag;
    private final Phases phases;
    private final long packets;
    private final long warmUpPackets;
    private final long minSequence;
    private final ReceiverCapture capture;
    private final PacketCounts recorded;
    private final PacketCounts warmUp;
    private final PacketCounts leadOut;

    /** Indexed by arithmetic on the sequence number, which avoids a branch that the warm-up never takes. */
    private final PacketCounts[] kinds;

    private final AtomicLong foreign = new AtomicLong();
    private final AtomicLong damaged = new AtomicLong();
    private final AtomicLong unrecorded = new AtomicLong();

    /** How many more copies the capture may record. */
    private long roomForCopies;

    /** The index of the next packet without a header among all packets that are sent. */
    private long nextIndex;

    /**
     * @param tag the run's tag
     * @param phases the numbers of packets that the run sends
     * @param capture receives the recorded packets; records beyond their number are for copies
     */
    public PacketAccounting(long tag, Phases phases, ReceiverCapture capture) {
        this.tag = tag;
        this.phases = phases;
        this.packets = phases.recorded();
        this.warmUpPackets = phases.warmUp();
        this.minSequence = phases.minSequence();
        this.nextIndex = -warmUpPackets;
        this.capture = capture;
        this.roomForCopies = Math.max(0, capture.capacity() - packets);
        this.recorded = new PacketCounts(0, packets);
        this.warmUp = new PacketCounts(-warmUpPackets, warmUpPackets);
        this.leadOut = new PacketCounts(minSequence, phases.leadOut());
        this.kinds = new PacketCounts[] {recorded, warmUp, leadOut};
    }

    /**
     * Counts the packet that begins at {@code offset}. Packets of all kinds execute the same code, so that the warm-up
     * compiles it for all.
     *
     * @param receivedNs when the receive call returned, CLOCK_REALTIME
     * @param mediumStamp the bus cycle in which it arrived, the kernel's stamp or when it was answered, CLOCK_REALTIME;
     *     else {@link #NO_STAMP}
     */
    public void packet(ByteBuffer buffer, int offset, long receivedNs, long mediumStamp) {
        if (!isOfRun(buffer, offset)) {
            reject(buffer, offset);
            return;
        }
        long sequence = PacketLayout.sequence(buffer, offset);
        count(sequence, receivedNs, mediumStamp);
    }

    /**
     * Counts the next packet of a run whose packets have no header: they arrive in the order of sending, none is lost.
     *
     * @param receivedNs when the receive call returned, CLOCK_REALTIME
     * @param mediumStamp the third field of the record, or {@link #NO_STAMP}
     */
    public void nextPacket(long receivedNs, long mediumStamp) {
        long index = nextIndex++;
        long sequence = phases.sequence(index);
        if (index >= packets && sequence >= -warmUpPackets) {
            countForeign();
            return;
        }
        count(sequence, receivedNs, mediumStamp);
    }

    /** Counts a packet of a size, by {@link #nextPacket} if packets of that size have no header. */
    public void packet(ByteBuffer buffer, int offset, int packetBytes, long receivedNs, long mediumStamp) {
        if (PacketLayout.hasHeader(packetBytes)) {
            packet(buffer, offset, receivedNs, mediumStamp);
        } else {
            nextPacket(receivedNs, mediumStamp);
        }
    }

    /** Returns whether a packet of this run begins at {@code offset}. */
    public boolean isOfRun(ByteBuffer buffer, int offset) {
        long sequence = PacketLayout.sequence(buffer, offset);
        return PacketLayout.tag(buffer, offset) == tag
                && PacketLayout.isIntact(buffer, offset)
                && sequence < packets
                && sequence >= minSequence;
    }

    /** Counts the packet that begins at {@code offset}, of which {@link #isOfRun} is false. */
    public void reject(ByteBuffer buffer, int offset) {
        int tagBits = Long.bitCount(PacketLayout.tag(buffer, offset) ^ tag);
        boolean isDamaged = tagBits == 0 ? !PacketLayout.isIntact(buffer, offset) : tagBits <= DAMAGED_TAG_BITS;
        PacketCounts.add(isDamaged ? damaged : foreign, 1);
    }

    /** Returns whether a packet of this run was counted. For the thread that counts. */
    public boolean hasArrived(long sequence) {
        return kind(sequence).copy(sequence) != 0;
    }

    private PacketCounts kind(long sequence) {
        return kinds[(int) ((sequence >>> 63) + ((sequence + warmUpPackets) >>> 63))];
    }

    private void count(long sequence, long receivedNs, long mediumStamp) {
        PacketCounts counts = kind(sequence);
        long copy = counts.copy(sequence);
        long recordedCopy = copy & ~(sequence >> 63);
        if (roomForCopies < recordedCopy || !capture.append(sequence, receivedNs, mediumStamp)) {
            PacketCounts.add(unrecorded, 1 + (sequence >> 63));
        } else {
            roomForCopies -= recordedCopy;
        }
        counts.count(sequence);
    }

    /** Counts data that arrived on the run's port or channel and is not a packet of this run. */
    public void countForeign() {
        PacketCounts.add(foreign, 1);
    }

    /** Returns, as a clause, why the thread that calls {@link #packet} failed with an unchecked exception. */
    public String explain(Throwable failed) {
        return capture.explain(failed);
    }

    /** Returns whether every recorded packet was received at least once. */
    public boolean isComplete() {
        return recorded.distinct.getAcquire() == packets;
    }

    /** Returns how many recorded packets were received, duplicates included. */
    public long received() {
        return recorded.received.getOpaque();
    }

    /** Returns how many warm-up packets were received. */
    public long warmUpReceived() {
        return warmUp.received.getOpaque();
    }

    /** Returns how many lead-out packets were received. */
    public long leadOutReceived() {
        return leadOut.received.getOpaque();
    }

    public ReceivedCounts counts() {
        return new ReceivedCounts(
                received(),
                recorded.distinct.getOpaque(),
                recorded.duplicated.getOpaque(),
                recorded.reordered.getOpaque(),
                foreign.getOpaque(),
                unrecorded.getOpaque(),
                warmUpReceived(),
                leadOutReceived(),
                damaged.getOpaque());
    }

    /**
     * Counters for the packets of one kind: recorded, warm-up or lead-out. One thread counts; any thread may read the
     * counters, possibly late. Only the constructor allocates: one bit for each packet.
     */
    private static final class PacketCounts {
        final AtomicLong received = new AtomicLong();
        final AtomicLong distinct = new AtomicLong();
        final AtomicLong duplicated = new AtomicLong();
        final AtomicLong reordered = new AtomicLong();
        private final long first;
        private final long[] seen;
        private long nextExpected;

        /**
         * @param first the first sequence number
         * @param packets number of packets
         */
        PacketCounts(long first, long packets) {
            this.first = first;
            this.nextExpected = first;
            this.seen = new long[(int) ((packets + 63) >>> 6)];
        }

        /** Returns 1 if the packet was already counted, 0 if not. */
        long copy(long sequence) {
            long index = sequence - first;
            return (seen[(int) (index >>> 6)] >>> index) & 1;
        }

        void count(long sequence) {
            long index = sequence - first;
            int word = (int) (index >>> 6);
            long bit = 1L << index;
            add(received, 1);
            if ((seen[word] & bit) != 0) {
                add(duplicated, 1);
            } else {
                seen[word] |= bit;
                if (sequence < nextExpected) {
                    add(reordered, 1);
                } else {
                    nextExpected = sequence + 1;
                }
                add(distinct, 1); // last: a complete run has all counts
            }
        }

        /** Needs no atomic increment: only one thread counts. */
        static void add(AtomicLong counter, long more) {
            counter.setRelease(counter.getPlain() + more);
        }
    }

    /**
     * The packet counts of a receiver.
     *
     * @param received recorded packets received, duplicates included
     * @param distinct recorded packets received at least once
     * @param duplicated copies beyond the first
     * @param reordered first copies received after a packet with a greater sequence number
     * @param foreign packets that do not belong to this run
     * @param unrecorded recorded packets for which the capture had no room; they can only be duplicates
     * @param warmUpReceived warm-up packets received
     * @param leadOutReceived lead-out packets received
     * @param damaged packets with the run's tag and two numbers that contradict each other, or nearly the run's tag
     */
    public record ReceivedCounts(
            long received,
            long distinct,
            long duplicated,
            long reordered,
            long foreign,
            long unrecorded,
            long warmUpReceived,
            long leadOutReceived,
            long damaged) {
        /** The counts of a receiver that received no packet. */
        public static final ReceivedCounts NONE = new ReceivedCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
