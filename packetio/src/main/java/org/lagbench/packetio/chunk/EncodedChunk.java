package org.lagbench.packetio.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.TransferSender;

/** A chunk ready to be sent, with its header and the sending side's record. One thread at a time uses it. */
final class EncodedChunk {
    private static final double PERMILLE = 1e3;

    /** The fields of {@link ChunkCapture#SENDER_FIELDS}, in their order. */
    private enum Field {
        SEQUENCE,
        RAW_BYTES,
        ENCODED_BYTES,
        CODEC,
        LEVEL,
        COMPRESS_BEGIN,
        COMPRESS_END,
        SEND_BEGIN,
        SEND_END,
        OCCUPANCY,
        RATIO,
        SPEED,
        BANDWIDTH
    }

    private final ByteBuffer frame;
    private final long[] record = new long[ChunkCapture.SENDER_FIELDS.size()];
    private long checksumOfAll;

    /** @param maximumBytes the maximum size of an encoded chunk */
    EncodedChunk(int maximumBytes) {
        frame = ByteBuffer.allocateDirect(ChunkLayout.HEADER_BYTES + maximumBytes);
    }

    /** Returns the buffer, with its position after the header. */
    ByteBuffer body() {
        return frame.clear().position(ChunkLayout.HEADER_BYTES);
    }

    /** Completes the header and the record, except for the stamps of the call that sends the chunk. */
    void complete(long tag, long sequence, int codec, int level, int rawBytes, int encodedBytes, int checksum) {
        PacketLayout.putIdentity(frame, 0, tag, sequence);
        ChunkLayout.put(frame, 0, codec, level, rawBytes, encodedBytes, checksum);
        set(Field.SEQUENCE, sequence);
        set(Field.RAW_BYTES, rawBytes);
        set(Field.ENCODED_BYTES, encodedBytes);
        set(Field.CODEC, codec);
        set(Field.LEVEL, level);
    }

    /** Sets when compression began and ended, CLOCK_REALTIME in ns. */
    void compressed(long beginNs, long endNs) {
        set(Field.COMPRESS_BEGIN, beginNs);
        set(Field.COMPRESS_END, endNs);
    }

    /** Sets what the decision was based on. */
    void decided(ChunkChooser chooser, long occupancyBytes) {
        set(Field.OCCUPANCY, occupancyBytes);
        set(Field.RATIO, scaled(chooser.estimatedRatio(), PERMILLE));
        set(Field.SPEED, scaled(chooser.estimatedBytesPerS(), 1));
        set(Field.BANDWIDTH, scaled(chooser.estimatedBandwidthBitsPerS(), 1));
    }

    private static long scaled(double estimate, double factor) {
        return estimate < 0 ? -1 : Math.round(estimate * factor);
    }

    private void set(Field field, long value) {
        record[field.ordinal()] = value;
    }

    private long get(Field field) {
        return record[field.ordinal()];
    }

    /** Sets the checksum of the raw bytes of all recorded chunks up to this one. */
    void checksumOfAll(long checksum) {
        checksumOfAll = checksum;
    }

    long checksumOfAll() {
        return checksumOfAll;
    }

    /**
     * Sends the chunk.
     *
     * @param skippedBytes bytes at the beginning of the chunk that were already sent
     */
    void send(TransferSender connection, int skippedBytes) throws IOException {
        frame.clear()
                .limit(ChunkLayout.HEADER_BYTES + (int) get(Field.ENCODED_BYTES))
                .position(skippedBytes);
        long sendNs = RealtimeClock.nowNs();
        PacketLayout.putSentNs(frame, 0, sendNs);
        connection.write(frame);
        set(Field.SEND_BEGIN, sendNs);
        set(Field.SEND_END, RealtimeClock.nowNs());
    }

    /** Returns when the call that sent the chunk began, CLOCK_REALTIME in ns. */
    long sendBeginNs() {
        return get(Field.SEND_BEGIN);
    }

    /** Returns when the call that sent the chunk ended, CLOCK_REALTIME in ns. */
    long sendEndNs() {
        return get(Field.SEND_END);
    }

    void record(ChunkCapture capture) {
        capture.append(record);
    }
}
