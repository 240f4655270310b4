package org.lagbench.packetio.socket;

/** When packets reached the kernel. */
@FunctionalInterface
public interface PacketArrivals {
    /** The value of a packet whose arrival is not known. */
    long UNKNOWN = 0;

    /**
     * Returns when a packet arrived, CLOCK_REALTIME in ns; {@link #UNKNOWN} if that is not known for sure.
     *
     * @param packet the packet's number
     * @param receivedNs when it was received
     */
    long arrivedNs(long packet, long receivedNs);
}
