package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Cuts the bytes of a stream into packets of the run's size, which share a stamp. Not thread-safe. Only creating it
 * allocates.
 */
public final class StreamPackets {
    private final SideConfig run;
    private final String peer;
    private final Arrival arrival;
    private long packets;

    /**
     * Creates an object for one stream.
     *
     * @param peer the side that sends the stream, for messages
     */
    public StreamPackets(SideConfig run, String peer, Arrival arrival) {
        this.run = run;
        this.peer = peer;
        this.arrival = arrival;
    }

    /**
     * Counts the packets that are complete, and moves the bytes after them to the beginning of the buffer.
     *
     * @param buffer has the bytes up to its position
     * @param mediumStamp see {@link Arrival#stamp}
     * @return the number of packets
     * @throws ProtocolException if the stream has other bytes than packets of the run; the message is a sentence
     */
    public int frame(ByteBuffer buffer, PacketAccounting accounting, long receivedNs, long mediumStamp)
            throws IOException {
        int end = buffer.position();
        int offset = 0;
        int framed = 0;
        for (; end - offset >= run.packetBytes(); offset += run.packetBytes()) {
            checkTag(buffer, offset, framed, accounting);
            long stamp = arrival.stamp(buffer, offset, mediumStamp);
            accounting.packet(buffer, offset, run.packetBytes(), receivedNs, stamp);
            framed++;
        }
        if (offset > 0) {
            buffer.limit(end).position(offset);
            buffer.compact();
        }
        packets += framed;
        return framed;
    }

    private void checkTag(ByteBuffer buffer, int offset, int framed, PacketAccounting accounting) throws IOException {
        if (run.hasHeader() && PacketLayout.tag(buffer, offset) != run.tag()) {
            accounting.countForeign();
            throw new ProtocolException("The stream from the " + peer + " is corrupt: after " + (packets + framed)
                    + " packets of " + run.packetBytes() + " bytes the next does not begin with the run's tag.");
        }
    }
}
