package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketIo;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Reads the stream of one connection, or the streams of transfers one after the other, and replies to each transfer.
 * Packets completed by one read share the stamp of the read.
 */
public final class SocketStreamFramer implements PacketFramer, AutoCloseable {
    private final SideConfig run;
    private final ReceiveBatch batch;

    /**
     * With kernel stamps a read returns at most one packet, because the kernel stamps only the last segment of a read.
     */
    private final boolean readsOnePacket;

    private final Arrival arrival;
    private final StreamFramer framer;
    private final ByteBuffer reply = ByteBuffer.allocateDirect(TransferSender.REPLY_BYTES);
    private @Nullable SocketIo current;

    /**
     * Creates a framer.
     *
     * @param peer the side that sends the stream, for messages
     * @param arrival null to reply to each packet
     */
    public SocketStreamFramer(SideConfig run, String peer, @Nullable Arrival arrival) {
        this.run = run;
        this.arrival = arrival == null ? this::reply : arrival;
        this.framer = new StreamPackets(run, peer, this::stamp, ByteBuffer::allocateDirect);
        this.batch = ReceiveBatch.ofStream(framer.buffer());
        this.readsOnePacket = arrival == Arrival.RECEIVED && run.recordsTimestamps();
    }

    /** Creates a framer of the connections of transfers. */
    public SocketStreamFramer(SideConfig run, StreamFramer transfers) {
        this.run = run;
        this.arrival = Arrival.RECEIVED;
        this.framer = transfers;
        this.batch = ReceiveBatch.ofStream(framer.buffer());
        this.readsOnePacket = false;
    }

    /** Begins a stream whose first packet's tag was already read. */
    public void begin() {
        run.putTag(framer.buffer().clear());
        framer.begin();
    }

    /** Returns whether packets may share the stamp of a read. */
    public boolean sharesStamps() {
        return !readsOnePacket;
    }

    @Override
    public int receive(SocketIo io, PacketAccounting accounting) throws IOException {
        if (readsOnePacket) {
            framer.buffer().limit(run.packetBytes());
        }
        current = io;
        if (io.receive(batch) == SocketIo.END) {
            return SocketIo.END;
        }
        int packets = framer.frame(accounting, batch.receivedNs(0));
        if (framer.hasCompletedTransfer()) {
            io.reply(reply, 0, reply.capacity());
        }
        return packets;
    }

    private long stamp(ByteBuffer buffer, int offset, long noStamp) throws IOException {
        return arrival.stamp(buffer, offset, batch.kernelNs(0));
    }

    private long reply(ByteBuffer buffer, int offset, long kernelNs) throws IOException {
        return Objects.requireNonNull(current).reply(buffer, offset, run.packetBytes());
    }

    /** Adds metadata of the stream. */
    public void putMetadata(Map<String, Object> into) {
        framer.putMetadata(into);
    }

    /** Closes the framer. Called after the last {@link #receive}, by the same thread. */
    @Override
    public void close() throws IOException {
        framer.close();
    }
}
