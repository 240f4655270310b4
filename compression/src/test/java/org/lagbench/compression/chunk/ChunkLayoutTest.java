package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.Codecs;
import org.lagbench.packetio.transport.PacketLayout;

class ChunkLayoutTest {
    private static final int CHUNK_BYTES = 32;
    private static final int ENCODED_BYTES = 10;

    /** CRC-32C of 32 zeros (RFC 3720, B.4). */
    private static final int CHECKSUM = 0x8a91_36aa;

    /** The bytes of a chunk of zeros, encoded by zstd-3. */
    private static final byte[] CHUNK = HexFormat.of()
            .parseHex(
                    "02468ace13579bdf" // tag
                            + "00000001fffffffe" // inverse of the number, number
                            + "18aabbccddeeff01" // sent ns
                            + "02" // codec
                            + "03" // level
                            + "0000" // zero
                            + "00000020" // raw bytes
                            + "0000000a" // encoded bytes
                            + "8a9136aa" // CRC-32C of raw
                            + "28b52ffd2020" // RFC 8878: magic number, one segment of 32 bytes
                            + "03010000"); // the last block repeats a zero 32 times

    @Test
    void writesEachFieldAtItsPlace() {
        ByteBuffer header = ByteBuffer.allocate(ChunkLayout.HEADER_BYTES);
        PacketLayout.putIdentity(header, 0, 0x0246_8ace_1357_9bdfL, -2);
        PacketLayout.putSentNs(header, 0, 0x18aa_bbcc_ddee_ff01L);
        ChunkLayout.put(header, 0, 2, 3, CHUNK_BYTES, ENCODED_BYTES, CHECKSUM);
        assertThat(header.array()).isEqualTo(Arrays.copyOf(CHUNK, 40));
    }

    @Test
    void decodesTheDocumentedBytes() throws Exception {
        ByteBuffer chunk = ByteBuffer.wrap(CHUNK);
        try (ChunkDecoder decoder = new ChunkDecoder(Codecs.load(), CHUNK_BYTES)) {
            assertThat(decoder.check(chunk, 0)).isEqualTo(CHUNK.length);
            assertThat(decoder.decode(chunk, 0)).isEqualTo(ByteBuffer.allocate(CHUNK_BYTES));
        }
    }
}
