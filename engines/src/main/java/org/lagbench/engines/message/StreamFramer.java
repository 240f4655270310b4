package org.lagbench.engines.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.socket.StreamPackets;
import org.lagbench.packetio.socket.TransferPieces;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.SideConfig;

/** The buffer of a side's byte stream, whose packets it counts. Not thread-safe. Only creating it allocates. */
public final class StreamFramer {
    private static final int MINIMUM_BYTES = 1 << 16;

    private final SideConfig run;
    private final @Nullable StreamPackets packets;
    private final @Nullable TransferPieces pieces;
    private final Runnable afterPiece;
    private final TransferReply answer;
    private final byte[] bytes;
    private final ByteBuffer buffer;

    /** Answers a transfer. */
    @FunctionalInterface
    public interface TransferReply {
        /** Sends the bytes of the answer. */
        void send() throws IOException;
    }

    /**
     * Creates a framer.
     *
     * @param peer the side that sends the stream, for messages
     */
    public StreamFramer(SideConfig run, String peer, Arrival arrival) {
        this(run, new StreamPackets(run, peer, arrival), null, () -> {}, () -> {});
    }

    /**
     * Creates a framer of the streams of transfers, one after the other.
     *
     * @param afterPiece called after each piece that was received
     */
    public StreamFramer(SideConfig run, TransferPieces pieces, Runnable afterPiece, TransferReply answer) {
        this(run, null, pieces, afterPiece, answer);
    }

    private StreamFramer(
            SideConfig run,
            @Nullable StreamPackets packets,
            @Nullable TransferPieces pieces,
            Runnable afterPiece,
            TransferReply answer) {
        this.run = run;
        this.packets = packets;
        this.pieces = pieces;
        this.afterPiece = afterPiece;
        this.answer = answer;
        this.bytes = new byte[Math.max(MINIMUM_BYTES, run.packetBytes())];
        this.buffer = ByteBuffer.wrap(bytes);
    }

    /**
     * Begins a stream.
     *
     * @param hasTag whether the first packet's tag, which identified the sender, was already read
     */
    public void begin(boolean hasTag) {
        buffer.clear();
        if (hasTag && run.hasHeader()) {
            buffer.putLong(run.tag());
        }
        if (pieces != null) {
            pieces.begin(buffer);
        }
    }

    /** Returns the array into which the next bytes of the stream go. */
    public byte[] array() {
        return bytes;
    }

    /** Returns the index in the array at which the next bytes go. */
    public int offset() {
        return buffer.position();
    }

    /** Returns the number of bytes for which the array has room, 1 or more. */
    public int room() {
        return buffer.remaining();
    }

    /**
     * Counts the packets that are complete, which share a stamp, and makes room for more.
     *
     * @param added number of bytes that were added to the array
     * @return their number; 0 in transfers
     * @throws IOException if the stream has other bytes than packets of the run
     */
    public int frame(int added, PacketAccounting accounting, long receivedNs) throws IOException {
        buffer.position(buffer.position() + added);
        if (packets != null) {
            return packets.frame(buffer, accounting, receivedNs, PacketAccounting.NO_STAMP);
        }
        if (pieces != null) {
            long before = accounting.received();
            boolean isComplete = pieces.frame(buffer, added, accounting, receivedNs);
            for (long i = before; i < accounting.received(); i++) {
                afterPiece.run();
            }
            if (isComplete) {
                answer.send();
            }
        }
        return 0;
    }

    /**
     * Adds bytes and counts the packets that are complete, which share a stamp.
     *
     * @return their number; 0 in transfers
     * @throws IOException if the stream has other bytes than packets of the run
     */
    public int add(ByteBuffer from, PacketAccounting accounting, long receivedNs) throws IOException {
        int framed = 0;
        while (from.hasRemaining()) {
            int count = Math.min(room(), from.remaining());
            from.get(bytes, offset(), count);
            framed += frame(count, accounting, receivedNs);
        }
        return framed;
    }
}
