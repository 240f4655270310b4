package org.lagbench.packetio.socket;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.linux.LinuxPacketRecord.Kind;

/** When packets reached the kernel. */
@FunctionalInterface
public interface PacketArrivals {
    /** The value of a packet whose arrival is not known. */
    long UNKNOWN = 0;

    /** Returns why the observers of arrivals and departures cannot be loaded here, and what to do; null if they can. */
    static @Nullable LagbenchException unavailableReason() {
        return LinuxPacketRecord.unavailableReason(Kind.ARRIVALS);
    }

    /** Returns why the observer of frames over TCP cannot be loaded here; null if it can. */
    static @Nullable LagbenchException ofFramesUnavailableReason() {
        return LinuxPacketRecord.unavailableReason(Kind.FRAME_ARRIVALS);
    }

    /**
     * Returns when a packet arrived, CLOCK_REALTIME in ns; {@link #UNKNOWN} if that is not known for sure.
     *
     * @param packet the packet's number
     * @param receivedNs when it was received
     */
    long arrivedNs(long packet, long receivedNs);
}
