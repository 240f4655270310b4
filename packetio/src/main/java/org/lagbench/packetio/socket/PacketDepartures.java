package org.lagbench.packetio.socket;

/** When packets left for the driver of the sender's device. */
public interface PacketDepartures {
    /**
     * Returns when a packet first left, CLOCK_REALTIME in ns; {@link PacketArrivals#UNKNOWN} if that is not in the
     * record.
     *
     * @param packet the packet's number
     */
    long leftNs(long packet);

    /** Returns whether a packet left again: the record may have lost the first copy of another one. */
    boolean hasCopies();
}
