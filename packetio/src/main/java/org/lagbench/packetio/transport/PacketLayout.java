package org.lagbench.packetio.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.model.RunParameters;

/**
 * The layout of one packet. Multi-byte fields are in network byte order (big-endian).
 *
 * <pre>
 *  0                   8          12         16                  24            size
 *  +-------------------+----------+----------+-------------------+--------------+
 *  | run tag           | inverse  | sequence | sent stamp        | payload …    |
 *  | 64 bits, random   | 32 bits  | number   | ns since the epoch| (not zeros)  |
 *  +-------------------+----------+----------+-------------------+--------------+
 * </pre>
 *
 * Each run has its own tag, which no other host can know before the first packet; a packet with another tag is foreign.
 * Recorded packets have the sequence numbers 0, 1, 2, …; warm-up packets have negative ones that end at −1, and
 * lead-out packets the negative ones that end before the first of the warm-up. The number has 32 bits, signed, and
 * comes after its bitwise inverse: a packet whose two numbers contradict each other was damaged on the way, whatever
 * its checksum says. The sent stamp is CLOCK_REALTIME in ns, written just before the call that sends the packet.
 *
 * <p>The methods allocate nothing and are as thread-safe as the buffer. Buffers must be big-endian, which is the
 * default; offsets are absolute, positions and limits are not changed.
 */
public final class PacketLayout {
    /** Size of the header, and of the smallest packet, in bytes. */
    public static final int HEADER_BYTES = RunParameters.MINIMUM_PACKET_BYTES;

    private static final int TAG_OFFSET = 0;
    private static final int INVERSE_OFFSET = 8;
    private static final int SEQUENCE_OFFSET = 12;
    private static final int SENT_NS_OFFSET = 16;

    private PacketLayout() {}

    /** Returns whether packets of a size carry a header. */
    public static boolean hasHeader(int packetBytes) {
        return packetBytes >= HEADER_BYTES;
    }

    /** Writes the tag and sequence number of the packet that begins at {@code offset}. */
    public static void putIdentity(ByteBuffer buffer, int offset, long tag, long sequence) {
        assert buffer.order() == ByteOrder.BIG_ENDIAN;
        buffer.putLong(offset + TAG_OFFSET, tag);
        buffer.putInt(offset + INVERSE_OFFSET, (int) ~sequence);
        buffer.putInt(offset + SEQUENCE_OFFSET, (int) sequence);
    }

    /** Writes the sent stamp of the packet that begins at {@code offset}. */
    public static void putSentNs(ByteBuffer buffer, int offset, long sentNs) {
        buffer.putLong(offset + SENT_NS_OFFSET, sentNs);
    }

    /** Returns CLOCK_REALTIME in ns, and writes it as the sent stamp of a packet of a size that has a header. */
    public static long stamp(ByteBuffer buffer, int offset, int packetBytes) {
        long nowNs = RealtimeClock.nowNs();
        if (hasHeader(packetBytes)) {
            putSentNs(buffer, offset, nowNs);
        }
        return nowNs;
    }

    /** Reads the run tag of the packet that begins at {@code offset}. */
    public static long tag(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + TAG_OFFSET);
    }

    /** Reads the sequence number of the packet that begins at {@code offset}. */
    public static long sequence(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + SEQUENCE_OFFSET);
    }

    /** Returns whether both numbers of the packet that begins at {@code offset} agree. */
    public static boolean isIntact(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + INVERSE_OFFSET) == ~buffer.getInt(offset + SEQUENCE_OFFSET);
    }

    /** Reads the sent stamp of the packet that begins at {@code offset}. */
    public static long sentNs(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + SENT_NS_OFFSET);
    }

    /**
     * Fills {@code packets} packets of {@code packetBytes} each, from the buffer's index 0, with bytes that depend only
     * on {@code seed}. They are pseudo-random, so that compression or deduplication on the path gains nothing. Also
     * overwrites the headers.
     */
    public static void fill(ByteBuffer buffer, int packetBytes, int packets, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] packet = new byte[packetBytes];
        for (int i = 0; i < packets; i++) {
            random.nextBytes(packet);
            buffer.put(i * packetBytes, packet);
        }
    }
}
