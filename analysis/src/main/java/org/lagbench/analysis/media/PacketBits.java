package org.lagbench.analysis.media;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** A bit for each packet that a run sent. Not thread-safe. */
final class PacketBits {
    private static final int SHIFT = 6;

    private final long[] words;
    private final long packets;

    PacketBits(long packets) {
        this.packets = packets;
        this.words = new long[Math.toIntExact((packets + Long.SIZE - 1) >>> SHIFT)];
    }

    /** The packets of which a copy came. */
    static PacketBits arrived(JoinedRun run) throws LagbenchException {
        PacketBits bits = new PacketBits(run.sent());
        for (long i = 0; i < run.received(); i++) {
            if (run.isFirstCopy(i)) {
                bits.set(run.packetOf(i));
            }
        }
        return bits;
    }

    void set(long packet) {
        words[(int) (packet >>> SHIFT)] |= 1L << packet;
    }

    /** How many are set. */
    long count() {
        long count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /** The first packet from here on that is not set; the number of packets if there is none. */
    long nextClear(long from) {
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
