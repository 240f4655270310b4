package org.lagbench.packetio.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Room for datagrams that are received at once, and what is told of each. Not thread-safe. Allocates only when made.
 */
public final class ReceiveBatch {
    /** Most datagrams of a call, received or sent. */
    public static final int MOST = 64;

    /** Each datagram begins a cache line. */
    private static final int ALIGNMENT_BYTES = 64;

    /** Datagrams that the kernel joined have no more bytes than one. */
    private static final int JOINED_BYTES = 1 << 16;

    private static final int LAST_SEQUENCE = 0;
    private static final int EACH = 2 * Long.BYTES;
    private static final int BYTES = 0;
    private static final int RECEIVED_NS = Long.BYTES;
    private static final int KERNEL_NS = 2 * Long.BYTES;
    private static final int OFFSET = 3 * Long.BYTES;
    private static final int TOLD_BYTES = 4 * Long.BYTES;

    private final int room;
    private final boolean together;
    private final int strideBytes;
    private final ByteBuffer packets;
    private final ByteBuffer told;

    private ReceiveBatch(int room, boolean together, int packetBytes, int leastBytes) {
        if (room < 1 || room > MOST) {
            throw new IllegalArgumentException("room for " + room + " datagrams; it takes 1 to " + MOST);
        }
        this.room = room;
        this.together = together;
        this.strideBytes = (packetBytes + ALIGNMENT_BYTES) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
        this.packets = ByteBuffer.allocateDirect(Math.max(leastBytes, room * strideBytes));
        this.told = ByteBuffer.allocateDirect(EACH + room * TOLD_BYTES).order(ByteOrder.nativeOrder());
    }

    /**
     * Makes room for those that one call receives; each datagram has one byte more at least, so that a longer one does
     * not look like one.
     *
     * @param room for how many datagrams, from 1 to {@value #MOST}
     * @param packetBytes what one is expected to have
     */
    public static ReceiveBatch ofOneCall(int room, int packetBytes) {
        return new ReceiveBatch(room, true, packetBytes, 0);
    }

    /** Makes the same room for datagrams that the kernel has joined, which lie one behind the other. */
    public static ReceiveBatch ofJoined(int packetBytes) {
        return new ReceiveBatch(MOST, true, packetBytes, JOINED_BYTES);
    }

    /**
     * Makes the same room for packets that follow one another closely, and are received by a call each.
     *
     * @param lastSequence the sequence number of the packet after which none is waited for
     */
    public static ReceiveBatch ofCallsEach(int room, int packetBytes, long lastSequence) {
        ReceiveBatch datagrams = new ReceiveBatch(room, false, packetBytes, 0);
        datagrams.told.putLong(LAST_SEQUENCE, lastSequence);
        return datagrams;
    }

    /** For how many datagrams there is room. */
    public int room() {
        return room;
    }

    /** From one datagram to the next, in bytes; longer ones are cut off. */
    public int strideBytes() {
        return strideBytes;
    }

    /** The datagrams' bytes. Direct. */
    public ByteBuffer packets() {
        return packets;
    }

    /** Whether those that are there are received by one call; else each by its own. */
    public boolean together() {
        return together;
    }

    /**
     * Has the sequence number after which none is waited for, then gets when the latest datagram was received, and of
     * each its size in bytes, when the call that received it had returned, the kernel's stamp and where it begins:
     * 64-bit numbers, times in ns by CLOCK_REALTIME. Direct, in native byte order.
     */
    public ByteBuffer told() {
        return told;
    }

    /** Where the datagram begins in {@link #packets}. */
    public int offset(int datagram) {
        return Math.toIntExact(told.getLong(EACH + datagram * TOLD_BYTES + OFFSET));
    }

    /** How many bytes the datagram had, or {@link #strideBytes} if it had more. */
    public long bytes(int datagram) {
        return told.getLong(EACH + datagram * TOLD_BYTES + BYTES);
    }

    /** When the call that received it had just returned, CLOCK_REALTIME in ns. */
    public long receivedNs(int datagram) {
        return told.getLong(EACH + datagram * TOLD_BYTES + RECEIVED_NS);
    }

    /** The kernel's stamp of the datagram's coming, CLOCK_REALTIME in ns; 0 if it has none. */
    public long kernelNs(int datagram) {
        return told.getLong(EACH + datagram * TOLD_BYTES + KERNEL_NS);
    }
}
