package org.lagbench.packetio.transport;

/**
 * What the sending side of a TCP connection has retransmitted since the connection began, and what stopped it, by the
 * kernel's TCP_INFO (tcp(7)). Values that the kernel does not have are −1.
 *
 * @param atNs when this was read, CLOCK_REALTIME in ns
 * @param segments segments retransmitted
 * @param bytes bytes retransmitted
 * @param needless segments that the receiver reported as duplicates (DSACK, RFC 2883)
 * @param reorderings times that acknowledgments revealed reordering
 * @param ackedBytes bytes that the receiver has acknowledged
 * @param unackedSegments segments sent and not acknowledged at this time
 * @param rttNs the smoothed round trip in ns (RFC 6298)
 * @param windowFullNs time in which it sent nothing because the receive window was full, in ticks of the kernel's timer
 */
public record Retransmissions(
        long atNs,
        long segments,
        long bytes,
        long needless,
        long reorderings,
        long ackedBytes,
        long unackedSegments,
        long rttNs,
        long windowFullNs) {
    /** Number of values of {@link #of}. */
    public static final int VALUES = 9;

    /** Returns the reading with these values, in the order of the components. */
    public static Retransmissions of(long[] values) {
        return new Retransmissions(
                values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], values[8]);
    }
}
