package org.lagbench.packetio.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;

/**
 * The packets of a sender in one direct buffer; those prepared and not yet sent are contiguous. The payloads differ
 * over a cycle of {@value #CYCLE_BYTES} bytes: longer than the window of a compressing path, and small enough for the
 * cache. Copies of its first packets follow, for batches that wrap around. Not thread-safe. Only creating it allocates.
 */
public final class SendBatch {
    private static final int CYCLE_BYTES = 1 << 18;
    private static final int SENT_NS = 0;
    private static final int RETURNED_NS = Long.BYTES;
    private static final int STAMPS_BYTES = 2 * Long.BYTES;

    private final long tag;
    private final int packetBytes;
    private final boolean hasHeader;
    private final ByteBuffer buffer;
    private final int end;
    private final int stampsStride;
    private final ByteBuffer stamps;
    private final long[] sequences;
    private final long[] scheduledNs;

    /** The offset of the first unsent packet, and its index in {@link #sequences}. */
    private int from;

    private int first;

    private int prefixBytesSent;

    /** The number of {@link #sequences} in use, including packets that were already sent. */
    private int prepared;

    /**
     * @param tag the tag of their run
     * @param packetBytes the size of each, header included
     * @param maximum maximum number of packets prepared before they are sent, limited by the cycle
     * @param sharesStamps whether one system call sends all prepared packets, rather than one each
     */
    public SendBatch(long tag, int packetBytes, int maximum, boolean sharesStamps) {
        this.tag = tag;
        this.packetBytes = packetBytes;
        this.hasHeader = PacketLayout.hasHeader(packetBytes);
        int packets = Math.max(1, CYCLE_BYTES / packetBytes);
        int capacity = Math.min(maximum, packets);
        end = packets * packetBytes;
        buffer = ByteBuffer.allocateDirect(end + (capacity - 1) * packetBytes);
        stampsStride = sharesStamps ? 0 : STAMPS_BYTES;
        stamps = ByteBuffer.allocateDirect(STAMPS_BYTES * (sharesStamps ? 1 : capacity))
                .order(ByteOrder.nativeOrder());
        sequences = new long[capacity];
        scheduledNs = new long[capacity];
        PacketLayout.fill(buffer, packetBytes, packets, tag);
        buffer.put(end, buffer, 0, buffer.capacity() - end);
    }

    /** Prepares the next packet except for its sent stamp. The batch must not be full. */
    public void prepare(long sequence, long packetScheduledNs) {
        if (hasHeader) {
            PacketLayout.putIdentity(buffer, from + (prepared - first) * packetBytes, tag, sequence);
        }
        sequences[prepared] = sequence;
        scheduledNs[prepared] = packetScheduledNs;
        prepared++;
    }

    /** Returns whether the prepared packets must be sent before another is prepared. */
    public boolean isFull() {
        return prepared == sequences.length;
    }

    /** Returns the maximum number of packets that one system call sends. */
    public int packetsPerCall() {
        return stampsStride == 0 ? sequences.length : 1;
    }

    /** Returns the number of prepared packets that are not yet sent. */
    public int count() {
        return prepared - first;
    }

    /** Returns the offset in {@link #buffer} of the first unsent packet. */
    public int offset() {
        return from;
    }

    public int packetBytes() {
        return packetBytes;
    }

    /** Returns how many bytes of the first packet were already sent, at most the size of its tag. */
    public int prefixBytesSent() {
        return prefixBytesSent;
    }

    /** Marks the first bytes of the first packet as sent, at most the size of its tag. */
    public void prefixSent(int bytes) {
        prefixBytesSent = bytes;
    }

    /**
     * Returns the stamps of each system call, 64-bit numbers: CLOCK_REALTIME in ns just before it, which its packets
     * carry, and just after it. Direct, in native byte order.
     */
    public ByteBuffer stamps() {
        return stamps;
    }

    /** Stamps the unsent packets and sets the buffer's position and limit to them, for a call by a channel. */
    public void beforeCall() {
        long sentNs = RealtimeClock.nowNs();
        int limit = from + count() * packetBytes;
        for (int offset = from; hasHeader && offset < limit; offset += packetBytes) {
            PacketLayout.putSentNs(buffer, offset, sentNs);
        }
        buffer.limit(limit).position(from + prefixBytesSent);
        stamps.putLong(SENT_NS, sentNs);
    }

    /** Stamps the return of a call by a channel, and resets the buffer's position and limit. */
    public void afterCall() {
        stamps.putLong(RETURNED_NS, RealtimeClock.nowNs());
        buffer.clear();
    }

    /** Returns the buffer that holds the packets. Direct. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Discards the unsent packets: none is sent after a call that failed. */
    public void drop() {
        buffer.clear();
        advance();
    }

    /** Starts the next batch. Wraps around without a branch, which a short warm-up would never take. */
    private void advance() {
        first = 0;
        prepared = 0;
        from -= end & ~((from - end) >> 31);
    }

    /** Marks the next packets as sent by the calls that {@link #stamps} describes, and appends their records. */
    public void sent(int count, SenderCapture capture) {
        int at = 0;
        for (int i = first; i < first + count; i++) {
            capture.append(
                    sequences[i], scheduledNs[i], stamps.getLong(at + SENT_NS), stamps.getLong(at + RETURNED_NS));
            at += stampsStride;
        }
        prefixBytesSent = 0;
        first += count;
        from += count * packetBytes;
        if (first == prepared) {
            advance();
        }
    }
}
