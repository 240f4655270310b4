package org.lagbench.packetio.packet;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.lagbench.core.capture.ReceiverCapture;

/**
 * Distinguishes foreign, warm-up and recorded packets, counts them, and appends recorded packets to the capture in
 * order of arrival, duplicates included.
 *
 * <p>A packet is <em>foreign</em> if its tag is not the run's or the run does not send its sequence number.
 * <em>Reordered</em> is Type-P-Reordered of RFC 4737 §3: its sequence number is smaller than the next one expected.
 * <em>Duplicated</em> counts copies beyond the first, RFC 5560 §3.
 *
 * <p>One thread calls {@link #packet} and {@link #countForeign}. Any thread may read the counters, possibly late. Only
 * the constructor allocates: one bit for each packet.
 */
public final class PacketAccounting {
    /** The value of {@code mediumStamp} if there is neither a bus cycle nor a kernel stamp. */
    public static final long NO_STAMP = -1;

    private final long tag;
    private final long packets;
    private final long warmUpPackets;
    private final ReceiverCapture capture;
    private final PacketCounts recorded;
    private final PacketCounts warmUp;

    /** Indexed by the sign of a sequence number, which avoids a branch that the warm-up never takes. */
    private final PacketCounts[] bySign;

    private final AtomicLong foreign = new AtomicLong();
    private final AtomicLong unrecorded = new AtomicLong();

    /**
     * @param tag the run's tag
     * @param packets number of recorded packets that the run sends, 1 to 2³⁶
     * @param warmUpPackets maximum number of warm-up packets, 0 to 2³⁶
     * @param capture receives the recorded packets
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
     * Counts the packet that begins at {@code offset}. Warm-up and recorded packets execute the same code, so that the
     * warm-up compiles it for both.
     *
     * @param receivedNs when the receive call returned, CLOCK_REALTIME
     * @param mediumStamp the bus cycle in which it arrived, or the kernel's stamp, CLOCK_REALTIME; else
     *     {@link #NO_STAMP}
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

    /** Counts data that arrived on the run's port or channel and is not a packet of this run. */
    public void countForeign() {
        PacketCounts.add(foreign, 1);
    }

    /** Whether every recorded packet was received at least once. */
    public boolean isComplete() {
        return recorded.distinct.getOpaque() == packets;
    }

    /** Returns how many recorded packets were received, duplicates included. */
    public long received() {
        return recorded.received.getOpaque();
    }

    /** Returns how many warm-up packets were received. */
    public long warmUpReceived() {
        return warmUp.received.getOpaque();
    }

    /** Returns the present counts. */
    public ReceivedCounts counts() {
        return new ReceivedCounts(
                received(),
                recorded.distinct.getOpaque(),
                recorded.duplicated.getOpaque(),
                recorded.reordered.getOpaque(),
                foreign.getOpaque(),
                unrecorded.getOpaque(),
                warmUpReceived());
    }
}
