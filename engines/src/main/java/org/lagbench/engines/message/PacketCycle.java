package org.lagbench.engines.message;

import java.nio.ByteBuffer;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.Payload;

/**
 * The packets of a sender, each in its own array, as in an application. The payloads differ over a cycle of
 * {@value #CYCLE_BYTES} bytes. Not thread-safe. Only creating it allocates.
 */
final class PacketCycle {
    private static final int CYCLE_BYTES = 1 << 18;
    private static final int MAXIMUM_PACKETS = 1 << 14;

    private final long tag;
    private final boolean hasHeader;
    private final byte[][] packets;
    private final ByteBuffer[] views;
    private int current;

    PacketCycle(long tag, int packetBytes) {
        this.tag = tag;
        this.hasHeader = PacketLayout.hasHeader(packetBytes);
        int count = Math.max(1, Math.min(MAXIMUM_PACKETS, CYCLE_BYTES / packetBytes));
        ByteBuffer payloads = ByteBuffer.allocate(count * packetBytes);
        Payload.fill(payloads, packetBytes, count, tag);
        packets = new byte[count][packetBytes];
        views = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            payloads.get(i * packetBytes, packets[i]);
            views[i] = ByteBuffer.wrap(packets[i]);
        }
    }

    /** Returns the next packet, complete except for its sent stamp, in an array of its size. */
    byte[] next(long sequence) {
        current = current + 1 == packets.length ? 0 : current + 1;
        if (hasHeader) {
            PacketLayout.putIdentity(views[current], 0, tag, sequence);
        }
        return packets[current];
    }

    /** Stamps the last packet of {@link #next}. */
    void putSentNs(long sentNs) {
        if (hasHeader) {
            PacketLayout.putSentNs(views[current], 0, sentNs);
        }
    }
}
