package org.lagbench.interfaces.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Splits the byte stream of a side into packets by their fixed size. The first 8 bytes of the sender's stream, the
 * run's tag, identify the sender and were already read. Not thread-safe. Only creating it allocates.
 */
public final class StreamFramer {
    private static final int MINIMUM_BYTES = 1 << 16;

    private final TransportRun run;
    private final String peer;
    private final Arrival arrival;
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private long packets;

    /** What is done with each packet before it is counted. */
    @FunctionalInterface
    public interface Arrival {
        /** Counts only. */
        Arrival RECEIVED = (array, packet, offset) -> PacketAccounting.NO_STAMP;

        /**
         * Returns the third field of a packet's record.
         *
         * @param array the array of the packet
         * @param packet a view of the array
         * @param offset where the packet begins
         */
        long stamp(byte[] array, ByteBuffer packet, int offset) throws IOException;
    }

    /**
     * Creates a framer.
     *
     * @param peer the side that sends the stream, for messages
     */
    public StreamFramer(TransportRun run, String peer, Arrival arrival) {
        this.run = run;
        this.peer = peer;
        this.arrival = arrival;
        this.bytes = new byte[Math.max(MINIMUM_BYTES, run.packetBytes())];
        this.buffer = ByteBuffer.wrap(bytes);
    }

    /** Adds the first packet's tag, which was already read, before the rest of the stream. */
    public void addTag() {
        if (run.hasHeader()) {
            buffer.putLong(run.tag());
        }
    }

    /** Returns the array into which the next bytes of the stream go. */
    public byte[] array() {
        return bytes;
    }

    /** Returns where in the array they go. */
    public int offset() {
        return buffer.position();
    }

    /** Returns how many fit, 1 or more. */
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
        int packetBytes = run.packetBytes();
        int end = buffer.position() + added;
        buffer.position(end);
        int offset = 0;
        int framed = 0;
        for (; end - offset >= packetBytes; offset += packetBytes) {
            if (run.hasHeader() && PacketLayout.tag(buffer, offset) != run.tag()) {
                accounting.countForeign();
                throw new IOException("The stream from the " + peer + " is corrupt: after " + (packets + framed)
                        + " packets of " + packetBytes + " bytes the next does not begin with the run's tag.");
            }
            long stamp = arrival.stamp(bytes, buffer, offset);
            if (run.hasHeader()) {
                accounting.packet(buffer, offset, receivedNs, stamp);
            } else {
                accounting.nextPacket(receivedNs, stamp);
            }
            framed++;
        }
        if (offset > 0) {
            buffer.limit(end).position(offset);
            buffer.compact();
        }
        packets += framed;
        return framed;
    }
}
