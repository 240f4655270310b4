package org.lagbench.packetio.packet;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.lagbench.core.capture.ReceiverCapture;

/**
 * Takes each packet that a receiver got: tells foreign packets and warm-up packets from recorded ones, counts, and
 * appends recorded ones to the capture, duplicates included, in the order of arrival.
 *
 * <p>A packet is <em>foreign</em> if its tag is not the run's or its sequence number is none that the run sends.
 * <em>Reordered</em> is Type-P-Reordered of RFC 4737 §3: its sequence number is smaller than the next one expected.
 * <em>Duplicated</em> counts copies beyond the first, RFC 5560 §3.
 *
 * <p>One thread calls {@link #packet} and {@link #countForeign}; the counters may be read by others, who may see them
 * late. Allocates only when made: a bit a packet.
 */
public final class PacketAccounting {
    /** Given as {@code mediumStamp} where there is neither a bus nor a stamp of the kernel's. */
    public static final long NO_STAMP = -1;

    private final long tag;
    private final long packets;
    private final long warmUpPackets;
    private final ReceiverCapture capture;
    private final PacketCounts recorded;
    private final PacketCounts warmUp;

    /** By the sign of a sequence number, so that there is no branch that the warm-up never takes. */
    private final PacketCounts[] bySign;

    private final AtomicLong foreign = new AtomicLong();
    private final AtomicLong unrecorded = new AtomicLong();

    /**
     * @param tag the run's tag
     * @param packets how many recorded packets the run sends, 1 to 2³⁶
     * @param warmUpPackets how many warm-up packets it sends at the most, 0 to 2³⁶
     * @param capture where recorded packets go
     */
    public PacketAccounting(long tag, long packets, long warmUpPackets, ReceiverCapture capture) {
        if (packets < 1) {
            throw new IllegalArgumentException("packets: " + packets);
        }
        this.tag = tag;
        this.packets = packets;
        this.warmUpPackets = warmUpPackets;
        this.capture = capture;
        this.recorded = new PacketCounts(0, packets);
        this.warmUp = new PacketCounts(-warmUpPackets, warmUpPackets);
        this.bySign = new PacketCounts[] {recorded, warmUp};
    }

    /**
     * Takes the packet that begins at {@code offset}. One of the warm-up takes the same way through the code as a
     * recorded one: what the compiler made of it while the bench warmed up is what the first recorded packet meets.
     *
     * @param receivedNs when the receive call returned, CLOCK_REALTIME
     * @param mediumStamp the bus cycle it came in, or the kernel's stamp, CLOCK_REALTIME; else {@link #NO_STAMP}
     */
    public void packet(ByteBuffer buffer, int offset, long receivedNs, long mediumStamp) {
        long sequence = PacketLayout.sequence(buffer, offset);
        if (PacketLayout.tag(buffer, offset) != tag || sequence >= packets || sequence < -warmUpPackets) {
            countForeign();
            return;
        }
        if (!capture.append(sequence, receivedNs, mediumStamp)) {
            PacketCounts.add(unrecorded, 1 + (sequence >> 63));
        }
        bySign[(int) (sequence >>> 63)].count(sequence);
    }

    /** Counts something that came in on the run's port or channel but was not a packet of this run. */
    public void countForeign() {
        PacketCounts.add(foreign, 1);
    }

    /** Whether every recorded packet has come at least once. */
    public boolean isComplete() {
        return distinct() == packets;
    }

    /** Recorded packets that came, copies included. */
    public long received() {
        return recorded.received();
    }

    /** Recorded packets that came at least once. */
    public long distinct() {
        return recorded.distinct();
    }

    /** Copies beyond the first. */
    public long duplicated() {
        return recorded.duplicated();
    }

    /** First copies that came after one with a greater sequence number. */
    public long reordered() {
        return recorded.reordered();
    }

    /** Packets that were not of this run. */
    public long foreign() {
        return foreign.getOpaque();
    }

    /** Warm-up packets that came. */
    public long warmUpReceived() {
        return warmUp.received();
    }

    /** Recorded packets for which the capture had no room; more than it was made for can only be copies. */
    public long unrecorded() {
        return unrecorded.getOpaque();
    }
}
