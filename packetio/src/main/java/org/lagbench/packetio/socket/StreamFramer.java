package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.TransportRun;

/** Cuts a stream into packets of the run's size. Packets that one read completed share its stamp. */
public final class StreamFramer implements PacketFramer {
    private static final int MINIMUM_READ_BYTES = 1 << 16;

    private final TransportRun run;
    private final String peer;
    private final Arrival arrival;
    private final ReceiveBatch batch;

    /**
     * With kernel stamps a read takes at most one packet, because the kernel stamps only the last segment of a read.
     */
    private final boolean readsOnePacket;

    private long packets;

    /**
     * Creates a framer.
     *
     * @param peer the side that sends the stream, for messages
     */
    public StreamFramer(TransportRun run, String peer, Arrival arrival) {
        this.run = run;
        this.peer = peer;
        this.arrival = arrival;
        this.batch = ReceiveBatch.ofStream(Math.max(MINIMUM_READ_BYTES, run.packetBytes()));
        this.readsOnePacket = arrival == Arrival.RECEIVED && run.stages() != null;
    }

    /** Adds the first packet's tag, which was already read, before the rest of the stream. */
    public void addTag() {
        if (run.hasHeader()) {
            batch.packets().putLong(run.tag());
        }
    }

    /** Returns whether packets may share the stamp of a read. */
    public boolean sharesStamps() {
        return !readsOnePacket;
    }

    @Override
    public int receive(SocketIo io, PacketAccounting accounting) throws IOException {
        if (readsOnePacket) {
            batch.packets().limit(run.packetBytes());
        }
        return io.receive(batch) == SocketIo.END ? SocketIo.END : frame(io, accounting);
    }

    private int frame(SocketIo io, PacketAccounting accounting) throws IOException {
        ByteBuffer buffer = batch.packets();
        long receivedNs = batch.receivedNs(0);
        long kernelNs = batch.kernelNs(0);
        int end = buffer.position();
        int offset = 0;
        int framed = 0;
        for (; end - offset >= run.packetBytes(); offset += run.packetBytes()) {
            checkTag(buffer, offset, framed, accounting);
            long stamp = arrival.stamp(io, buffer, offset, run.packetBytes(), kernelNs);
            if (run.hasHeader()) {
                accounting.packet(buffer, offset, receivedNs, stamp);
            } else {
                accounting.nextPacket(receivedNs, stamp);
            }
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
            throw new ProtocolException("The TCP stream from the " + peer + " is corrupt: after " + (packets + framed)
                    + " packets of " + run.packetBytes() + " bytes the next does not begin with the run's tag.");
        }
    }
}
