package org.lagbench.engines.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.lagbench.packetio.socket.StreamPackets;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;

/** The buffer of a side's byte stream, whose packets it counts. Not thread-safe. Only creating it allocates. */
public final class StreamBuffer {
    private final SideConfig run;
    private final StreamFramer framer;
    private final TransferReply answer;
    private final byte[] bytes;
    private final ByteBuffer buffer;

    /** Answers a transfer. */
    @FunctionalInterface
    public interface TransferReply {
        /** Sends the bytes of the answer. */
        void send() throws IOException;
    }

    private StreamBuffer(SideConfig run, StreamFramer framer, TransferReply answer) {
        this.run = run;
        this.framer = framer;
        this.answer = answer;
        this.bytes = new byte[framer.bufferBytes()];
        this.buffer = ByteBuffer.wrap(bytes);
    }

    /** Returns the buffer of a receiver's answers. */
    public static StreamBuffer ofAnswers(SideConfig run) {
        return new StreamBuffer(
                run, new StreamPackets(run, "receiver", Arrival.ofReplies(run.packetBytes())), () -> {});
    }

    /**
     * Returns the buffer of a sender's stream, or of those of transfers, one at a time.
     *
     * @param arrival what to do with each packet
     * @param answer answers a transfer
     */
    public static StreamBuffer ofSender(SideConfig run, Arrival arrival, TransferReply answer) {
        return new StreamBuffer(run, new StreamPackets(run, "sender", arrival), answer);
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
        framer.begin(buffer);
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
     * @return their number
     * @throws IOException if the stream has other bytes than packets of the run
     */
    public int frame(int added, PacketAccounting accounting, long receivedNs) throws IOException {
        buffer.position(buffer.position() + added);
        int framed = framer.frame(buffer, added, accounting, receivedNs);
        if (framer.hasCompletedTransfer()) {
            answer.send();
        }
        return framed;
    }

    /**
     * Adds bytes and counts the packets that are complete, which share a stamp.
     *
     * @return their number
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

    /** Adds metadata written to run.json. */
    public void putMetadata(Map<String, Object> into) {
        framer.putMetadata(into);
    }
}
