package org.lagbench.core.model;

/**
 * UDP datagrams that compete with the measured packets. Times count from the first recorded packet of a run.
 *
 * @param rateBitsPerS rate in bit/s of the datagrams' contents, without headers
 * @param packetBytes size of each datagram's contents in bytes
 * @param startNs when it starts, in ns
 * @param stopNs when it stops, in ns; {@link #RUN_END} for the end of the run
 * @param direction its direction
 */
public record CompetingFlow(long rateBitsPerS, int packetBytes, long startNs, long stopNs, Direction direction) {
    /** The stop of a flow that ends with the run. */
    public static final long RUN_END = Long.MAX_VALUE;

    public static final int MAXIMUM_PACKET_BYTES = 65_507;

    /** Latest start and stop in ns. */
    public static final long MAXIMUM_NS = 86_400_000_000_000L;

    /** The direction of a flow. */
    public enum Direction implements TextEnum {
        /** From the sender's side to the receiver's, as the measured packets. */
        FORWARD,
        /** From the receiver's side to the sender's. */
        REVERSE
    }
}
