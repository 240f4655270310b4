package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * What surrounds each packet in the data of a TCP connection or a UDP datagram.
 *
 * @param headerBytes the bytes before a packet; {@link #ANY} if a datagram ends with its only packet
 * @param alignmentBytes a multiple of this is the size of a packet with its header and with the padding that follows it
 * @param sharedBytes the first bytes of the header, which several packets may share before the first one of them
 * @param number where a header has the number of its packet, which is encrypted; null if packets are not encrypted
 * @param isWhole whether no other bytes are within a packet, of any size
 */
public record Framing(
        int headerBytes, int alignmentBytes, int sharedBytes, @Nullable NumberField number, boolean isWhole) {
    /** A header whose size only the program that writes it knows. */
    public static final int ANY = -1;

    /** Nothing. */
    public static final Framing NONE = new Framing(0, 1);

    /** A header of any size before the only packet of a datagram. */
    public static final Framing LAST = new Framing(ANY, 1);

    /** Creates a framing whose packets share nothing. */
    public Framing(int headerBytes, int alignmentBytes) {
        this(headerBytes, alignmentBytes, 0);
    }

    /** Creates a framing of packets that are not encrypted. */
    public Framing(int headerBytes, int alignmentBytes, int sharedBytes) {
        this(headerBytes, alignmentBytes, sharedBytes, null, false);
    }

    /**
     * A field of 32 bits with the number of a packet.
     *
     * @param offset the bytes of a datagram before the field
     * @param mask the bits of the field that are the number
     * @param first the number of the first packet that a connection carries, which is of the warm-up if there is one
     */
    public record NumberField(int offset, int mask, int first) {
        /** Returns how many packets of the connection came before that with a field. */
        public int index(int field) {
            return (field & mask) - first;
        }
    }

    /** Returns whether a datagram has one packet, which is its last bytes, after a header of any size. */
    public boolean hasAnyHeader() {
        return headerBytes == ANY;
    }

    /** Returns the bytes from a packet's header to the next one's. */
    public long frameBytes(int packetBytes) {
        return (headerBytes + (long) packetBytes + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
    }

    /** Returns the number of packets in data that begins with a header; 0 if it does not end with a whole packet. */
    public long packets(long bytes, int packetBytes) {
        if (hasAnyHeader()) {
            return bytes >= packetBytes ? 1 : 0;
        }
        long rest = bytes % frameBytes(packetBytes);
        return rest == 0 || rest == headerBytes ? bytes / frameBytes(packetBytes) : 0;
    }
}
