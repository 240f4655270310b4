package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.packet.PacketLayout;

/** What a side does with a packet of its run before it counts the packet. */
@FunctionalInterface
interface BusArrival {
    /** Nothing: the packet is not answered. */
    BusArrival RECEIVED = (packets, offset, cycle) -> cycle;

    /** The packet is an answer: reads the replied stamp that it carries. */
    BusArrival ANSWER = (packets, offset, cycle) -> PacketLayout.sentNs(packets, offset);

    /**
     * Returns the third field of the packet's record. Allocates nothing.
     *
     * @param packets holds the packet at {@code offset}
     * @param cycle the bus cycle in which it arrived
     */
    long stamp(ByteBuffer packets, int offset, long cycle) throws IOException;
}
