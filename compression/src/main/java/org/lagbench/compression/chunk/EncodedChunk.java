package org.lagbench.compression.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.model.Codec;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.TransferSender;

/** An encoded chunk with its header and its record in the sender's capture. One thread at a time uses it. */
final class EncodedChunk {
    private static final double PERMILLE = 1e3;

    private static final int SEQUENCE = field("seq");
    private static final int RAW_BYTES = field("raw_bytes");
    private static final int ENCODED_BYTES = field("encoded_bytes");
    private static final int CODEC = field(ChunkCapture.CODEC);
    private static final int LEVEL = field("level");
    private static final int CHOSEN_CODEC = field(ChunkCapture.CHOSEN_CODEC);
    private static final int CHOSEN_LEVEL = field("chosen_level");
    private static final int COMPRESS_BEGIN = field("compress_begin_ns");
    private static final int COMPRESS_END = field("compress_end_ns");
    private static final int SEND_BEGIN = field("send_begin_ns");
    private static final int SEND_END = field("send_end_ns");
    private static final int OCCUPANCY = field("occupancy_bytes");
    private static final int RATIO = field("estimated_ratio_permille");
    private static final int SPEED = field("estimated_bytes_per_s");
    private static final int BANDWIDTH = field("estimated_bandwidth_bits_per_s");

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

    /** Sets the header, and the part of the record that describes what is sent. */
    void complete(long tag, long sequence, int codec, int level, int rawBytes, int encodedBytes, int checksum) {
        PacketLayout.putIdentity(frame, 0, tag, sequence);
        ChunkLayout.put(frame, 0, codec, level, rawBytes, encodedBytes, checksum);
        record[SEQUENCE] = sequence;
        record[RAW_BYTES] = rawBytes;
        record[ENCODED_BYTES] = encodedBytes;
        record[CODEC] = codec;
        record[LEVEL] = level;
    }

    /** Sets when compression began and ended, CLOCK_REALTIME in ns. */
    void compressed(long beginNs, long endNs) {
        record[COMPRESS_BEGIN] = beginNs;
        record[COMPRESS_END] = endNs;
    }

    /** Sets the chosen codec, and the occupancy and the estimates on which the choice was based. */
    void decided(Codec.Choice choice, ChunkChooser chooser, long occupancyBytes) {
        record[CHOSEN_CODEC] = choice.codec().id();
        record[CHOSEN_LEVEL] = choice.level();
        record[OCCUPANCY] = occupancyBytes;
        CodecEstimate estimate = chooser.estimate();
        record[RATIO] = estimate == null ? -1 : Math.round(estimate.ratio() * PERMILLE);
        record[SPEED] = estimate == null ? -1 : Math.round(estimate.bytesPerS());
        record[BANDWIDTH] = Math.max(-1, Math.round(chooser.estimatedBandwidthBitsPerS()));
    }

    private static int field(String name) {
        return ChunkCapture.SENDER_FIELDS.indexOf(name);
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
        frame.clear().limit(ChunkLayout.HEADER_BYTES + (int) record[ENCODED_BYTES]);
        connection.sendPiece(frame, skippedBytes, record, SEND_BEGIN); // and the end, the next field
    }

    /** Returns when the call that sent the chunk began, CLOCK_REALTIME in ns. */
    long sendBeginNs() {
        return record[SEND_BEGIN];
    }

    /** Returns when the call that sent the chunk ended, CLOCK_REALTIME in ns. */
    long sendEndNs() {
        return record[SEND_END];
    }

    void record(ChunkCapture capture) {
        capture.append(record);
    }
}
