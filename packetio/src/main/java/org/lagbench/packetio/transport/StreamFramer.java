package org.lagbench.packetio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;

/**
 * Cuts the streams of connections, one at a time, into packets. In a run of transfers the packets are pieces; the bytes
 * of a transfer are then recorded with each receive call. Packets that one call completed share its stamp. One thread
 * calls all methods. Only creating it allocates.
 */
public abstract class StreamFramer implements AutoCloseable {
    private static final int MINIMUM_READ_BYTES = 1 << 16;

    /** A piece of which fewer bytes were received does not yet have its sequence number. */
    private static final int IDENTITY_BYTES = 2 * Long.BYTES;

    private final ByteBuffer buffer;
    private final long transferPieces;
    private final @Nullable ReceiverCapture receivedBytes;
    private long transferBytes;
    private int framedBytes;
    private long unrecordedCalls;
    private boolean isComplete;
    private long packets;

    /**
     * @param maximumPacketBytes maximum size of a packet in the stream
     * @param allocator allocates the buffer
     * @param transferPieces number of packets in each transfer; without meaning in other traffic
     * @param receivedBytes receives the bytes of each receive call; null unless transfers are received
     */
    protected StreamFramer(
            int maximumPacketBytes,
            IntFunction<ByteBuffer> allocator,
            long transferPieces,
            @Nullable ReceiverCapture receivedBytes) {
        this.buffer = allocator.apply(Math.max(MINIMUM_READ_BYTES, maximumPacketBytes));
        this.transferPieces = transferPieces;
        this.receivedBytes = receivedBytes;
    }

    /**
     * Returns the size of the packet that begins at {@code offset}; 0 if it is not complete.
     *
     * @param available number of bytes from there on
     * @throws java.net.ProtocolException if no packet of the run begins there; the message is a sentence
     */
    protected abstract int check(ByteBuffer buffer, int offset, int available, PacketAccounting accounting)
            throws IOException;

    /** Handles and counts the complete packet that begins at {@code offset}. */
    protected abstract void receive(ByteBuffer buffer, int offset, PacketAccounting accounting, long receivedNs)
            throws IOException;

    /** Returns the number of packets so far. */
    protected final long packets() {
        return packets;
    }

    /** Returns the buffer whose position is where the next bytes of the stream go. There is room for one or more. */
    public final ByteBuffer buffer() {
        return buffer;
    }

    /** Begins a connection. The buffer has the bytes already received, up to its position. */
    public final void begin() {
        framedBytes = buffer.position();
        transferBytes = framedBytes;
    }

    /**
     * Records the bytes that a receive call has added to the buffer, and counts the complete packets. Then moves the
     * bytes of the incomplete one to the beginning of the buffer.
     *
     * @return the number of packets
     * @throws java.net.ProtocolException if the stream contains anything but packets of the run; the message is a
     *     sentence
     */
    public final int frame(PacketAccounting accounting, long receivedNs) throws IOException {
        int end = buffer.position();
        transferBytes += end - framedBytes;
        if (receivedBytes != null && end >= IDENTITY_BYTES) {
            long transfer = Math.floorDiv(PacketLayout.sequence(buffer, 0), transferPieces);
            unrecordedCalls += receivedBytes.append(transfer, receivedNs, transferBytes) ? 0 : 1;
        }
        long before = packets;
        int last = 0;
        int offset = 0;
        for (int size = check(buffer, 0, end, accounting);
                size > 0;
                size = check(buffer, offset, end - offset, accounting)) {
            receive(buffer, offset, accounting, receivedNs);
            packets++;
            last = offset;
            offset += size;
        }
        isComplete = receivedBytes != null
                && offset > 0
                && Math.floorMod(PacketLayout.sequence(buffer, last) + 1, transferPieces) == 0;
        if (isComplete) {
            transferBytes = 0;
        }
        if (offset > 0) {
            buffer.limit(end).position(offset);
            buffer.compact();
        }
        framedBytes = end - offset;
        return (int) (packets - before);
    }

    /** Returns whether the last {@link #frame} completed a transfer, so that a reply is due. */
    public final boolean hasCompletedTransfer() {
        return isComplete;
    }

    /** Adds metadata written to run.json: of transfers the number of calls that the capture had no room for. */
    public void putMetadata(Map<String, Object> into) {
        if (receivedBytes != null) {
            into.put("receiveCallsWithoutRoom", unrecordedCalls);
        }
    }

    /** Closes what this has created. Called after the last {@link #frame}, by the same thread. */
    @Override
    public void close() throws IOException {}
}
