package org.lagbench.core.transport.ip;

import java.nio.ByteBuffer;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.packet.PacketLayout;
import org.lagbench.core.packet.Payload;
import org.lagbench.core.transport.TransportRun;

/**
 * The packets that a sender sends, in one direct buffer, and those among them that are made and not yet sent, which lie one
 * behind the other. The payloads differ over a cycle of {@value #CYCLE_BYTES} bytes, more than the window in which a
 * compressing path looks for repetitions and little enough to stay in the cache. Not thread-safe. Allocates only when made.
 */
public final class OutgoingPackets {
    private static final int CYCLE_BYTES = 1 << 18;

    private final long tag;
    private final int packetBytes;
    private final ByteBuffer buffer;
    private final int end;
    private final long[] sequences;
    private final long[] scheduledNs;

    /** Where the first packet begins that is not yet sent, and which of {@link #sequences} is its. */
    private int from;

    private int first;

    /** How many of {@link #sequences} are in use, those of packets that were already sent of them included. */
    private int made;

    /** @param batch how many packets are made at the most before they are sent; fewer if the cycle has fewer */
    public OutgoingPackets(TransportRun run, int batch) {
        tag = run.tag();
        packetBytes = run.packetBytes();
        int packets = Math.max(1, CYCLE_BYTES / packetBytes);
        end = packets * packetBytes;
        buffer = ByteBuffer.allocateDirect(end);
        sequences = new long[batch];
        scheduledNs = new long[batch];
        Payload.fill(buffer, packetBytes, packets, tag);
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
        return made == sequences.length || from + (made - first) * packetBytes == end;
    }

    /** How many packets are made and not yet sent. */
    public int count() {
        return made - first;
    }

    /** Puts the stamp into all packets that are not yet sent, and sets the buffer's position and limit to them. */
    public void stamp(long sentNs) {
        int limit = from + count() * packetBytes;
        for (int offset = from; offset < limit; offset += packetBytes) {
            PacketLayout.putSentNs(buffer, offset, sentNs);
        }
        buffer.limit(limit).position(from);
    }

    /** The buffer that holds the packets. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /**
     * Takes the next packets as sent, and appends their records to the capture.
     *
     * @param sentNs just before the call that took them, CLOCK_REALTIME
     * @param returnedNs just after it
     */
    public void sent(int count, long sentNs, long returnedNs, SenderCapture capture) {
        for (int i = first; i < first + count; i++) {
            capture.append(sequences[i], scheduledNs[i], sentNs, returnedNs);
        }
        buffer.clear();
        first += count;
        from += count * packetBytes;
        if (first == made) {
            first = 0;
            made = 0;
            from &= (from - end) >> 31; // 0 at the end, without a branch that a short warm-up never takes
        }
    }
}
