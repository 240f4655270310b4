package org.lagbench.compression.chunk;

import java.nio.ByteBuffer;
import org.lagbench.packetio.transport.PacketLayout;

/**
 * The layout of a chunk in the stream: the header of a packet, the description of the chunk, and its encoded bytes.
 * Multi-byte fields are in network byte order.
 *
 * <pre>
 *  0       8        16         24    25     26         28        32            36         40
 *  +-------+--------+----------+-----+------+----------+---------+-------------+----------+---------+
 *  | tag   | number | sent ns  |codec|level | zero     |raw bytes|encoded bytes| CRC-32C  | encoded |
 *  | 64 b  | 64 b   | 64 b     | 8 b | 8 b  | 16 b     | 32 b    | 32 b        | of raw   | bytes … |
 *  +-------+--------+----------+-----+------+----------+---------+-------------+----------+---------+
 * </pre>
 *
 * All chunks of a run have the same raw size. A chunk that its codec does not shorten is sent with the codec
 * {@code none}, so no encoded chunk is larger than its raw size. A receiver can thus allocate its buffers before the
 * first chunk.
 */
public final class ChunkLayout {
    /** Size of the header in bytes. */
    public static final int HEADER_BYTES = 40;

    private static final int CODEC_OFFSET = PacketLayout.HEADER_BYTES;
    private static final int LEVEL_OFFSET = 25;
    private static final int ZERO_OFFSET = 26;
    private static final int RAW_BYTES_OFFSET = 28;
    private static final int ENCODED_BYTES_OFFSET = 32;
    private static final int CHECKSUM_OFFSET = 36;

    private ChunkLayout() {}

    /** Writes the fields after the packet header, for the chunk whose header begins at {@code offset}. */
    public static void put(
            ByteBuffer buffer, int offset, int codec, int level, int rawBytes, int encodedBytes, int checksum) {
        buffer.put(offset + CODEC_OFFSET, (byte) codec);
        buffer.put(offset + LEVEL_OFFSET, (byte) level);
        buffer.putShort(offset + ZERO_OFFSET, (short) 0);
        buffer.putInt(offset + RAW_BYTES_OFFSET, rawBytes);
        buffer.putInt(offset + ENCODED_BYTES_OFFSET, encodedBytes);
        buffer.putInt(offset + CHECKSUM_OFFSET, checksum);
    }

    static int codec(ByteBuffer buffer, int offset) {
        return buffer.get(offset + CODEC_OFFSET);
    }

    static int level(ByteBuffer buffer, int offset) {
        return buffer.get(offset + LEVEL_OFFSET);
    }

    static int zero(ByteBuffer buffer, int offset) {
        return buffer.getShort(offset + ZERO_OFFSET);
    }

    static int rawBytes(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + RAW_BYTES_OFFSET);
    }

    static int encodedBytes(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + ENCODED_BYTES_OFFSET);
    }

    static int checksum(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + CHECKSUM_OFFSET);
    }
}
