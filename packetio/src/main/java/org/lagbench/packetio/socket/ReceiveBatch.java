package org.lagbench.packetio.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Room for what one call receives, datagrams or bytes of a stream, with the metadata of each. Not thread-safe.
 * Allocates only when made.
 */
public final class ReceiveBatch {
    /** Most datagrams of a call, received or sent. */
    public static final int MOST = 64;

    /** Where in {@link #metadata} a stream's bytes get their stamps: received, then the kernel's. */
    static final int STREAM_STAMPS_OFFSET = 3 * Long.BYTES;

    /** Each datagram begins a cache line. */
    private static final int ALIGNMENT_BYTES = 64;

    private static final int LAST_SEQUENCE = 0;
    private static final int EACH = 2 * Long.BYTES;
    private static final int BYTES = 0;
    private static final int RECEIVED_NS = Long.BYTES;
    private static final int KERNEL_NS = 2 * Long.BYTES;
    private static final int OFFSET = 3 * Long.BYTES;
    private static final int METADATA_BYTES = 4 * Long.BYTES;

    /** Datagrams that the kernel joined have no more bytes than one. */
    private static final int JOINED_BYTES = 1 << 16;

    private final int room;
    private final int strideBytes;
    private final ByteBuffer packets;
    private final ByteBuffer metadata;

    private ReceiveBatch(int room, int strideBytes, int leastBytes, long lastSequence) {
        if (room < 1 || room > MOST) {
            throw new IllegalArgumentException("room for " + room + " datagrams; it takes 1 to " + MOST);
        }
        this.room = room;
        this.strideBytes = strideBytes;
        this.packets = ByteBuffer.allocateDirect(Math.max(leastBytes, room * strideBytes));
        this.metadata = ByteBuffer.allocateDirect(EACH + room * METADATA_BYTES).order(ByteOrder.nativeOrder());
        metadata.putLong(LAST_SEQUENCE, lastSequence);
    }

    /**
     * Makes room for datagrams; each has one byte more at least, so that a longer one does not look like one.
     *
     * @param room for how many, from 1 to {@value #MOST}
     * @param packetBytes what one is expected to have
     * @param lastSequence the sequence number of the packet after which none is waited for, where several are received
     *     by a system call each
     */
    public static ReceiveBatch ofDatagrams(int room, int packetBytes, long lastSequence) {
        return new ReceiveBatch(room, strideBytes(packetBytes), 0, lastSequence);
    }

    /** Makes room for datagrams that the kernel has joined, which lie one behind the other. */
    public static ReceiveBatch ofJoined(int packetBytes) {
        return new ReceiveBatch(MOST, strideBytes(packetBytes), JOINED_BYTES, 0);
    }

    private static int strideBytes(int packetBytes) {
        return (packetBytes + ALIGNMENT_BYTES) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Makes room for so many bytes of a stream, which are put from the position of {@link #packets} on. */
    public static ReceiveBatch ofStream(int bytes) {
        return new ReceiveBatch(1, bytes, 0, 0);
    }

    /** For how many datagrams there is room. */
    public int room() {
        return room;
    }

    /** From one datagram to the next, in bytes; longer ones are cut off. */
    public int strideBytes() {
        return strideBytes;
    }

    /** The bytes. Direct. */
    public ByteBuffer packets() {
        return packets;
    }

    /**
     * Has the sequence number after which none is waited for, then gets when the latest datagram was received, and of
     * each its size in bytes, when the call that received it had returned, the kernel's stamp and where it begins:
     * 64-bit numbers, times in ns by CLOCK_REALTIME. Direct, in native byte order.
     */
    public ByteBuffer metadata() {
        return metadata;
    }

    /** Where the datagram begins in {@link #packets}. */
    public int offset(int datagram) {
        return Math.toIntExact(metadata.getLong(EACH + datagram * METADATA_BYTES + OFFSET));
    }

    /** How many bytes the datagram had, or {@link #strideBytes} if it had more. */
    public long bytes(int datagram) {
        return metadata.getLong(EACH + datagram * METADATA_BYTES + BYTES);
    }

    /** When the call that received it had just returned, CLOCK_REALTIME in ns. */
    public long receivedNs(int datagram) {
        return metadata.getLong(EACH + datagram * METADATA_BYTES + RECEIVED_NS);
    }

    /** The kernel's stamp of the datagram's coming, CLOCK_REALTIME in ns; 0 if it has none. */
    public long kernelNs(int datagram) {
        return metadata.getLong(EACH + datagram * METADATA_BYTES + KERNEL_NS);
    }

    /** Puts the metadata of the first datagram, or of a stream's bytes, without a stamp of the kernel's. */
    void received(long bytes, long receivedNs) {
        metadata.putLong(EACH + BYTES, bytes);
        metadata.putLong(EACH + RECEIVED_NS, receivedNs);
    }
}
