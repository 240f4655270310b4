package org.lagbench.analysis.join;

import org.lagbench.core.failure.LagbenchException;

/** A bit for each packet that a run sent, or that it received. Not thread-safe. */
public final class PacketBits {
    private static final int SHIFT = 6;

    private final long[] words;
    private final long packets;

    /** None is set. */
    public PacketBits(long packets) {
        this.packets = packets;
        this.words = new long[Math.toIntExact((packets + Long.SIZE - 1) >>> SHIFT)];
    }

    /**
     * The packets of which a copy came.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public static PacketBits arrived(JoinedRun run) throws LagbenchException {
        PacketBits bits = new PacketBits(run.sent());
        for (long i = 0; i < run.received(); i++) {
            if (run.isFirstCopy(i)) {
                bits.set(run.packetOf(i));
            }
        }
        return bits;
    }

    /** Sets the bit of a packet. */
    public void set(long packet) {
        words[(int) (packet >>> SHIFT)] |= 1L << packet;
    }

    /** Whether the bit of a packet is set. */
    boolean isSet(long packet) {
        return (words[(int) (packet >>> SHIFT)] & 1L << packet) != 0;
    }

    /** How many are set. */
    public long count() {
        long count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** The first packet from here on that is not set; the number of packets if there is none. */
    public long nextClear(long from) {
        for (long packet = from; packet < packets; ) {
            long clear = ~words[(int) (packet >>> SHIFT)] >>> packet;
            if (clear != 0) {
                return Math.min(packets, packet + Long.numberOfTrailingZeros(clear));
            }
            packet = ((packet >>> SHIFT) + 1) << SHIFT;
        }
        return packets;
    }
}
