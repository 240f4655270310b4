package org.lagbench.core.run;

/**
 * What surrounds each packet in the data of a TCP connection or a UDP datagram.
 *
 * @param headerBytes the bytes before a packet
 * @param alignmentBytes a multiple of this is the size of a packet with its header and with the padding that follows it
 * @param sharedBytes the first bytes of the header, which several packets may share before the first one of them
 */
public record Framing(int headerBytes, int alignmentBytes, int sharedBytes) {
    /** Nothing. */
    public static final Framing NONE = new Framing(0, 1);

    /** Creates a framing whose packets share nothing. */
    public Framing(int headerBytes, int alignmentBytes) {
        this(headerBytes, alignmentBytes, 0);
    }

    /** Returns the bytes from a packet's header to the next one's. */
    public long frameBytes(int packetBytes) {
        return (headerBytes + (long) packetBytes + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
    }

    /** Returns the number of packets in data that begins with a header; 0 if it does not end with a whole packet. */
    public long packets(long bytes, int packetBytes) {
        long rest = bytes % frameBytes(packetBytes);
        return rest == 0 || rest == headerBytes ? bytes / frameBytes(packetBytes) : 0;
    }
}
