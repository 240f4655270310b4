package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;

/**
 * Cuts the bytes of a stream into packets of the run's size, which share a stamp. Not thread-safe. Only creating it
 * allocates.
 */
public final class StreamPackets implements StreamFramer {
    private static final int MINIMUM_READ_BYTES = 1 << 16;

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

    @Override
    public int bufferBytes() {
        return bufferBytes(run);
    }

    /** Returns the size of a buffer for packets of a run in bytes. */
    public static int bufferBytes(SideConfig run) {
        return Math.max(MINIMUM_READ_BYTES, run.packetBytes());
    }

    @Override
    public int frame(ByteBuffer buffer, int bytes, PacketAccounting accounting, long receivedNs) throws IOException {
        int end = buffer.position();
        int offset = 0;
        int framed = 0;
        for (; end - offset >= run.packetBytes(); offset += run.packetBytes()) {
            checkTag(buffer, offset, framed, accounting);
            long stamp = arrival.stamp(buffer, offset, PacketAccounting.NO_STAMP);
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
