package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.transport.PacketLayout;

/** Computes the third field of a packet's record: the bus cycle, or in round trips the replied stamp. */
@FunctionalInterface
interface BusArrival {
    /** Returns the bus cycle. The packet is not answered. */
    BusArrival RECEIVED = (packets, offset, cycle) -> cycle;

    /** Returns the replied stamp that an answer carries. */
    BusArrival ANSWER = (packets, offset, cycle) -> PacketLayout.sentNs(packets, offset);

    /**
     * Returns the third field of the packet's record; answers the packet if necessary. Allocates nothing.
     *
     * @param packets holds the packet at {@code offset}
     * @param cycle the bus cycle in which it arrived
     */
    long stamp(ByteBuffer packets, int offset, long cycle) throws IOException;
}
