package org.lagbench.core.model;

/**
 * The capacity of a link for packets in TCP segments and UDP datagrams over IPv4, fragmented for an MTU of 1500 bytes
 * (RFC 791), in Ethernet frames with the overhead of {@link Network.Framing} (IEEE 802.3).
 */
public record LinkCapacity(LinkDirection link, Network.Framing framing) {
    private static final int MTU_BYTES = 1_500;
    private static final int IP_BYTES = 20;
    private static final int UDP_BYTES = 8;

    /** TCP's header of 20 bytes, and 12 bytes for the option of timestamps that Linux adds (RFC 7323). */
    private static final int TCP_BYTES = 32;

    private static final int ETHERNET_BYTES = 14;

    /** The payload bytes of a full IP fragment: each fragment but the last carries a multiple of 8. */
    private static final int FRAGMENT_BYTES = (MTU_BYTES - IP_BYTES) / 8 * 8;

    /** Returns the datagrams per second of a flood over UDP. */
    public double udpPacketsPerS(int packetBytes) {
        return perSecond(udpWireBytes(packetBytes));
    }

    /** Returns the bytes on the wire of a datagram with this many bytes. */
    public long udpWireBytes(int packetBytes) {
        long left = UDP_BYTES + (long) packetBytes;
        long wireBytes = 0;
        while (left > FRAGMENT_BYTES) {
            wireBytes += wireBytes(FRAGMENT_BYTES);
            left -= FRAGMENT_BYTES;
        }
        return wireBytes + wireBytes(left);
    }

    /** Returns the packets per second of a flood over TCP, which fills each segment. */
    public double tcpPacketsPerS(int packetBytes) {
        int segmentBytes = MTU_BYTES - IP_BYTES - TCP_BYTES;
        double segmentsPerS = perSecond(wireBytes(TCP_BYTES + (long) segmentBytes));
        return segmentsPerS * segmentBytes / packetBytes;
    }

    /** Returns the bytes on the wire of an IP packet with this many bytes after its header. */
    private long wireBytes(long bytes) {
        return Math.max(framing.minBytes(link), ETHERNET_BYTES + IP_BYTES + bytes + framing.overheadBytes());
    }

    private double perSecond(long wireBytes) {
        return link.rateBitsPerS() / (8.0 * wireBytes);
    }
}
