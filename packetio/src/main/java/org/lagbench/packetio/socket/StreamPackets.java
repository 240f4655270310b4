package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;

/** Cuts streams into packets of the run's size. */
public final class StreamPackets extends StreamFramer {
    private final SideConfig run;
    private final String peer;
    private final Arrival arrival;

    /**
     * Creates an object for the streams of one side.
     *
     * @param peer the side that sends the streams, for messages
     * @param allocator allocates the buffer
     */
    public StreamPackets(SideConfig run, String peer, Arrival arrival, IntFunction<ByteBuffer> allocator) {
        super(run.packetBytes(), allocator, run.hasTransfers() ? run.pieces() : 0, run.receivedBytes());
        this.run = run;
        this.peer = peer;
        this.arrival = arrival;
    }

    @Override
    protected int check(ByteBuffer buffer, int offset, int available, PacketAccounting accounting)
            throws ProtocolException {
        if (available < run.packetBytes()) {
            return 0;
        }
        if (run.hasHeader() && PacketLayout.tag(buffer, offset) != run.tag()) {
            accounting.countForeign();
            throw new ProtocolException("The stream from the " + peer + " is corrupt: after " + packets()
                    + " packets of " + run.packetBytes() + " bytes the next does not begin with the run's tag.");
        }
        return run.packetBytes();
    }

    @Override
    protected void receive(ByteBuffer buffer, int offset, PacketAccounting accounting, long receivedNs)
            throws IOException {
        long stamp = arrival.stamp(buffer, offset, PacketAccounting.NO_STAMP);
        accounting.packet(buffer, offset, run.packetBytes(), receivedNs, stamp);
    }
}
