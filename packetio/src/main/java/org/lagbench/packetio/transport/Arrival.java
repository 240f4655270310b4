package org.lagbench.packetio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a side does with a packet of its run before it counts the packet: nothing, reply to it, or read its stamp. */
@FunctionalInterface
public interface Arrival {
    /** Does nothing: the packet is recorded with the medium's stamp. */
    Arrival RECEIVED = (packets, offset, mediumStamp) -> mediumStamp;

    /**
     * Returns the third field of the packet's record. Allocates nothing.
     *
     * @param packets holds the packet at {@code offset}
     * @param mediumStamp the bus cycle in which it arrived, or the kernel's receive stamp; else
     *     {@link PacketAccounting#NO_STAMP}
     */
    long stamp(ByteBuffer packets, int offset, long mediumStamp) throws IOException;

    /**
     * Returns the handling of replies at a sender: it reads the stamp that each carries, if the size has room for one.
     */
    static Arrival ofReplies(int packetBytes) {
        return (packets, offset, mediumStamp) ->
                PacketLayout.hasHeader(packetBytes) ? PacketLayout.sentNs(packets, offset) : 0;
    }
}
