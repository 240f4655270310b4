package org.lagbench.packetio.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.packet.Payload;
import org.lagbench.packetio.transport.TransportRun;

/**
 * The packets that a sender sends, in one direct buffer, and those among them that are made and not yet sent, which lie
 * one behind the other. The payloads differ over a cycle of {@value #CYCLE_BYTES} bytes, more than the window in which
 * a compressing path looks for repetitions and little enough to stay in the cache; behind it some of its first packets
 * stand once more, for those that are sent with its last. Not thread-safe. Allocates only when made.
 */
public final class SendBatch {
    private static final int CYCLE_BYTES = 1 << 18;
    private static final int SENT_NS = 0;
    private static final int RETURNED_NS = Long.BYTES;
    private static final int STAMPS_BYTES = 2 * Long.BYTES;

    private final long tag;
    private final int packetBytes;
    private final ByteBuffer buffer;
    private final int end;
    private final int stampsStride;
    private final ByteBuffer stamps;
    private final long[] sequences;
    private final long[] scheduledNs;

    /** Where the first packet begins that is not yet sent, and which of {@link #sequences} is its. */
    private int from;

    private int first;

    private int bytesAhead;

    /** How many of {@link #sequences} are in use, those of packets that were already sent of them included. */
    private int made;

    /**
     * @param most how many packets are made at most before they are sent; fewer if the cycle has fewer
     * @param sharesStamps whether one call sends all that are made, and not each its own
     */
    public SendBatch(TransportRun run, int most, boolean sharesStamps) {
        tag = run.tag();
        packetBytes = run.packetBytes();
        int packets = Math.max(1, CYCLE_BYTES / packetBytes);
        int atOnce = Math.min(most, packets);
        end = packets * packetBytes;
        buffer = ByteBuffer.allocateDirect(end + (atOnce - 1) * packetBytes);
        stampsStride = sharesStamps ? 0 : STAMPS_BYTES;
        stamps = ByteBuffer.allocateDirect(STAMPS_BYTES * (sharesStamps ? 1 : atOnce))
                .order(ByteOrder.nativeOrder());
        sequences = new long[atOnce];
        scheduledNs = new long[atOnce];
        Payload.fill(buffer, packetBytes, packets, tag);
        buffer.put(end, buffer, 0, buffer.capacity() - end);
    }

    /** Makes the next packet, all but its sent stamp. There must be room: {@link #isFull} says. */
    public void make(long sequence, long scheduledToLeaveNs) {
        PacketLayout.putIdentity(buffer, from + (made - first) * packetBytes, tag, sequence);
        sequences[made] = sequence;
        scheduledNs[made] = scheduledToLeaveNs;
        made++;
    }

    /** Whether there is no room for one packet more before those that are made are sent. */
    public boolean isFull() {
        return made == sequences.length;
    }

    /** How many packets one system call sends at most. */
    public int packetsPerCall() {
        return stampsStride == 0 ? sequences.length : 1;
    }

    /** How many packets are made and not yet sent. */
    public int count() {
        return made - first;
    }

    /** Where in {@link #buffer} the first packet begins that is not yet sent. */
    public int offset() {
        return from;
    }

    /** Size of a packet. */
    public int packetBytes() {
        return packetBytes;
    }

    /** How many bytes of the first packet were sent before, no more than its tag. */
    public int bytesAhead() {
        return bytesAhead;
    }

    /** Counts the first bytes of the first packet as sent, no more than its tag. */
    public void sentAhead(int bytes) {
        bytesAhead = bytes;
    }

    /**
     * Gets, of each call that sends, CLOCK_REALTIME in ns just before it, which its packets carry, and just after it:
     * 64-bit numbers. Direct, in native byte order.
     */
    public ByteBuffer stamps() {
        return stamps;
    }

    /**
     * For a call that does not do so itself: stamps all packets that are not yet sent, now, and sets the buffer's
     * position and limit to them.
     */
    public void beforeCall() {
        long sentNs = RealtimeClock.nowNs();
        int limit = from + count() * packetBytes;
        for (int offset = from; offset < limit; offset += packetBytes) {
            PacketLayout.putSentNs(buffer, offset, sentNs);
        }
        buffer.limit(limit).position(from + bytesAhead);
        stamps.putLong(SENT_NS, sentNs);
    }

    /**
     * For a call that does not do so itself: stamps its return, now, and gives back the buffer's position and limit.
     */
    public void afterCall() {
        stamps.putLong(RETURNED_NS, RealtimeClock.nowNs());
        buffer.clear();
    }

    /** The buffer that holds the packets. Direct. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Forgets those that are made and not yet sent: none is sent after a call that failed. */
    void drop() {
        buffer.clear();
        goOn();
    }

    /**
     * Makes the next packet the first again. Where the cycle ends without a branch, which a short warm-up would never
     * take.
     */
    private void goOn() {
        first = 0;
        made = 0;
        from -= end & ~((from - end) >> 31);
    }

    /** Takes the next packets as sent by the calls whose stamps there are, and appends their records to the capture. */
    public void sent(int count, SenderCapture capture) {
        int at = 0;
        for (int i = first; i < first + count; i++) {
            capture.append(
                    sequences[i], scheduledNs[i], stamps.getLong(at + SENT_NS), stamps.getLong(at + RETURNED_NS));
            at += stampsStride;
        }
        bytesAhead = 0;
        first += count;
        from += count * packetBytes;
        if (first == made) {
            goOn();
        }
    }
}
