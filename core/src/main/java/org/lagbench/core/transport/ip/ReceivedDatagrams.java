package org.lagbench.core.transport.ip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Room for the datagrams that one call receives, and what the kernel tells of each. Not thread-safe. */
public final class ReceivedDatagrams {
    /** Most datagrams of a call, received or sent. */
    public static final int MOST = 64;

    /** Each datagram begins a cache line. */
    private static final int ALIGNMENT_BYTES = 64;

    private static final int RECEIVED_NS_BYTES = Long.BYTES;
    private static final int TOLD_BYTES = 2 * Long.BYTES;

    private final int room;
    private final int strideBytes;
    private final ByteBuffer packets;
    private final ByteBuffer told;

    /**
     * Makes room; each datagram has one byte more at least, so that a longer one does not look like one.
     *
     * @param room for how many datagrams, from 1 to {@value #MOST}
     * @param packetBytes what one is expected to have
     */
    public ReceivedDatagrams(int room, int packetBytes) {
        if (room < 1 || room > MOST) {
            throw new IllegalArgumentException("room for " + room + " datagrams; it takes 1 to " + MOST);
        }
        this.room = room;
        this.strideBytes = (packetBytes + ALIGNMENT_BYTES) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
        this.packets = ByteBuffer.allocateDirect(room * strideBytes);
        this.told =
                ByteBuffer.allocateDirect(RECEIVED_NS_BYTES + room * TOLD_BYTES).order(ByteOrder.nativeOrder());
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

    /**
     * Gets the time just after the call, then, of each datagram, its size in bytes and the kernel's stamp, 64-bit numbers.
     * Direct, in native byte order.
     */
    public ByteBuffer told() {
        return told;
    }

    /** When the call that received them had just returned, CLOCK_REALTIME in ns. */
    public long receivedNs() {
        return told.getLong(0);
    }

    /** Where the datagram begins in {@link #packets}. */
    public int offset(int datagram) {
        return datagram * strideBytes;
    }

    /** How many bytes the datagram had, or {@link #strideBytes} if it had more. */
    public long bytes(int datagram) {
        return told.getLong(RECEIVED_NS_BYTES + datagram * TOLD_BYTES);
    }

    /** The kernel's stamp of the datagram's coming, CLOCK_REALTIME in ns; 0 if it has none. */
    public long kernelNs(int datagram) {
        return told.getLong(RECEIVED_NS_BYTES + datagram * TOLD_BYTES + Long.BYTES);
    }
}
