package org.lagbench.packetio.socket;

import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxPacketRecord;

/** When packets reached the kernel. */
@FunctionalInterface
public interface PacketArrivals {
    /** The value of a packet whose arrival is not known. */
    long UNKNOWN = 0;

    /**
     * Loads and closes the observers in the kernel that record arrivals and departures.
     *
     * @throws LagbenchException if that is impossible here; the message says why, and what to do
     */
    static void check() throws LagbenchException {
        LinuxPacketRecord.load(LinuxPacketRecord.Kind.ARRIVALS, 1).close();
        LinuxPacketRecord.load(LinuxPacketRecord.Kind.DEPARTURES, 1).close();
    }

    /**
     * Returns when a packet arrived, CLOCK_REALTIME in ns; {@link #UNKNOWN} if that is not known for sure.
     *
     * @param packet the packet's number
     * @param receivedNs when it was received
     */
    long arrivedNs(long packet, long receivedNs);
}
