package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.TransportRun;

/** Reads a stream from a socket. Packets that one read completed share its stamp. */
public final class SocketStreamFramer implements PacketFramer {
    private static final int MINIMUM_READ_BYTES = 1 << 16;

    private final TransportRun run;
    private final Arrival arrival;
    private final ReceiveBatch batch;

    /**
     * With kernel stamps a read returns at most one packet, because the kernel stamps only the last segment of a read.
     */
    private final boolean readsOnePacket;

    private final StreamPackets packets;
    private @Nullable SocketIo current;

    /**
     * Creates a framer.
     *
     * @param peer the side that sends the stream, for messages
     */
    public SocketStreamFramer(TransportRun run, String peer, Arrival arrival) {
        this.run = run;
        this.arrival = arrival;
        this.batch = ReceiveBatch.ofStream(Math.max(MINIMUM_READ_BYTES, run.packetBytes()));
        this.packets = new StreamPackets(run, peer, this::stamp);
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
        current = io;
        return io.receive(batch) == SocketIo.END
                ? SocketIo.END
                : packets.frame(batch.packets(), accounting, batch.receivedNs(0));
    }

    private long stamp(ByteBuffer buffer, int offset) throws IOException {
        SocketIo io = Objects.requireNonNull(current);
        return arrival.stamp(io, buffer, offset, run.packetBytes(), batch.kernelNs(0));
    }
}
