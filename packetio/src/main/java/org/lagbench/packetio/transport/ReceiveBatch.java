package org.lagbench.packetio.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A buffer for the datagrams or bytes of a stream that one call receives, with the metadata of each. Not thread-safe.
 * Only creating it allocates.
 *
 * @param capacity the maximum number of datagrams
 * @param strideBytes the distance from one datagram to the next in bytes; longer datagrams are truncated
 * @param packets the received bytes. Direct
 * @param metadata 64-bit numbers: the last packet's sequence number and the latest received stamp, then for each
 *     datagram its size in bytes, received stamp, kernel stamp and offset in {@code packets}. Stamps are CLOCK_REALTIME
 *     in ns. Direct, in native byte order
 */
public record ReceiveBatch(int capacity, int strideBytes, ByteBuffer packets, ByteBuffer metadata) {
    /** The maximum number of datagrams that one call sends or receives. */
    public static final int MAXIMUM_DATAGRAMS = 64;

    /** Offset in {@link #metadata} of the stamps of a stream's bytes: received, then the kernel's. */
    public static final int STREAM_STAMPS_OFFSET = 3 * Long.BYTES;

    /** Each datagram begins at a cache line. */
    private static final int ALIGNMENT_BYTES = 64;

    private static final int LAST_SEQUENCE = 0;
    private static final int EACH = 2 * Long.BYTES;
    private static final int BYTES = 0;
    private static final int RECEIVED_NS = Long.BYTES;
    private static final int KERNEL_NS = 2 * Long.BYTES;
    private static final int OFFSET = 3 * Long.BYTES;
    private static final int METADATA_BYTES = 4 * Long.BYTES;

    /** Joined datagrams together have at most the size of one IPv4 datagram. */
    private static final int JOINED_BYTES = 1 << 16;

    private static ReceiveBatch of(int capacity, int strideBytes, ByteBuffer packets, long lastSequence) {
        if (capacity < 1 || capacity > MAXIMUM_DATAGRAMS) {
            throw new IllegalArgumentException(
                    "capacity of " + capacity + " datagrams; it must be 1 to " + MAXIMUM_DATAGRAMS);
        }
        ByteBuffer metadata =
                ByteBuffer.allocateDirect(EACH + capacity * METADATA_BYTES).order(ByteOrder.nativeOrder());
        metadata.putLong(LAST_SEQUENCE, lastSequence);
        return new ReceiveBatch(capacity, strideBytes, packets, metadata);
    }

    /**
     * Creates a batch of datagrams, each with space for at least one byte more, so that longer ones are recognized.
     *
     * @param capacity number of datagrams, 1 to {@value #MAXIMUM_DATAGRAMS}
     * @param packetBytes expected size of a datagram
     * @param lastSequence the sequence number of the last packet: after it a JNI call with several system calls returns
     */
    public static ReceiveBatch ofDatagrams(int capacity, int packetBytes, long lastSequence) {
        int stride = strideBytes(packetBytes);
        return of(capacity, stride, ByteBuffer.allocateDirect(capacity * stride), lastSequence);
    }

    /** Creates a batch of datagrams that the kernel has joined, which are contiguous. */
    public static ReceiveBatch ofJoined(int packetBytes) {
        int stride = strideBytes(packetBytes);
        int bytes = Math.max(JOINED_BYTES, MAXIMUM_DATAGRAMS * stride);
        return of(MAXIMUM_DATAGRAMS, stride, ByteBuffer.allocateDirect(bytes), 0);
    }

    private static int strideBytes(int packetBytes) {
        return (packetBytes + ALIGNMENT_BYTES) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Creates a batch for the bytes of a stream, which are written at the position of a direct buffer. */
    public static ReceiveBatch ofStream(ByteBuffer buffer) {
        return of(1, buffer.capacity(), buffer, 0);
    }

    /** Returns the offset of a datagram in {@link #packets}. */
    public int offset(int datagram) {
        return Math.toIntExact(metadata.getLong(EACH + datagram * METADATA_BYTES + OFFSET));
    }

    /** Returns the size of a datagram in bytes, at most {@link #strideBytes}. */
    public long bytes(int datagram) {
        return metadata.getLong(EACH + datagram * METADATA_BYTES + BYTES);
    }

    /** Returns the stamp taken just after the call that received a datagram, CLOCK_REALTIME in ns. */
    public long receivedNs(int datagram) {
        return metadata.getLong(EACH + datagram * METADATA_BYTES + RECEIVED_NS);
    }

    /** Returns the kernel's receive stamp of a datagram, CLOCK_REALTIME in ns; 0 if it has none. */
    public long kernelNs(int datagram) {
        return metadata.getLong(EACH + datagram * METADATA_BYTES + KERNEL_NS);
    }

    /** Writes the metadata of the first datagram, or of a stream's bytes, without a kernel stamp. */
    public void received(long bytes, long receivedNs) {
        metadata.putLong(EACH + BYTES, bytes);
        metadata.putLong(EACH + RECEIVED_NS, receivedNs);
    }
}
