package org.lagbench.core.transport.ip;

import java.nio.ByteBuffer;
import org.lagbench.core.packet.PacketLayout;
import org.lagbench.core.packet.Payload;
import org.lagbench.core.transport.TransportRun;

/**
 * The packets that a sender sends, in one direct buffer. Their payloads differ over a cycle of {@value #CYCLE_BYTES}
 * bytes, more than the window in which a compressing path looks for repetitions and little enough to stay in the cache.
 * Not thread-safe. {@link #next} allocates nothing.
 */
public final class OutgoingPackets {
    private static final int CYCLE_BYTES = 1 << 18;

    private final long tag;
    private final int packetBytes;
    private final ByteBuffer buffer;
    private final int end;
    private int at;

    public OutgoingPackets(TransportRun run) {
        tag = run.tag();
        packetBytes = run.packetBytes();
        int packets = Math.max(1, CYCLE_BYTES / packetBytes);
        end = packets * packetBytes;
        buffer = ByteBuffer.allocateDirect(end);
        Payload.fill(buffer, packetBytes, packets, tag);
    }

    /**
     * Makes the next packet, all but its sent stamp, and sets the buffer's position and limit to it.
     *
     * @return the offset at which it begins
     */
    public int next(long sequence) {
        int offset = at;
        at = offset + packetBytes == end ? 0 : offset + packetBytes;
        buffer.clear();
        PacketLayout.putIdentity(buffer, offset, tag, sequence);
        buffer.limit(offset + packetBytes).position(offset);
        return offset;
    }

    /** The buffer that holds the packets. */
    public ByteBuffer buffer() {
        return buffer;
    }
}
