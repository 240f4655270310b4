package org.lagbench.packetio.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class PacketLayoutTest {
    private static final String GOLDEN = "0123456789abcdef" // tag
            + "ff543210" // inverse of the sequence number
            + "00abcdef"
            + "18a2b3c4d5e6f708"; // sent stamp

    @Test
    void writesTheGoldenBytes() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(40);
        PacketLayout.putIdentity(buffer, 10, 0x0123_4567_89ab_cdefL, 0xabcdef);
        PacketLayout.putSentNs(buffer, 10, 0x18a2_b3c4_d5e6_f708L);
        byte[] bytes = new byte[40];
        buffer.get(0, bytes);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("00".repeat(10) + GOLDEN + "00".repeat(6));
        assertThat(buffer.position()).isZero();
        assertThat(PacketLayout.HEADER_BYTES).isEqualTo(GOLDEN.length() / 2);
    }

    @Test
    void readsTheGoldenBytes() {
        ByteBuffer buffer = ByteBuffer.wrap(HexFormat.of().parseHex("ffff" + GOLDEN));
        assertThat(PacketLayout.tag(buffer, 2)).isEqualTo(0x0123_4567_89ab_cdefL);
        assertThat(PacketLayout.sequence(buffer, 2)).isEqualTo(0xabcdef);
        assertThat(PacketLayout.sentNs(buffer, 2)).isEqualTo(0x18a2_b3c4_d5e6_f708L);
    }

    @Test
    void writesNegativeSequenceNumbers() {
        ByteBuffer buffer = ByteBuffer.allocate(24);
        PacketLayout.putIdentity(buffer, 0, 0, -1);
        assertThat(HexFormat.of().formatHex(buffer.array()))
                .isEqualTo("00".repeat(12) + "ff".repeat(4) + "00".repeat(8));
    }

    @Test
    void fillsAnIncompressiblePayloadFromASeed() {
        byte[] payload = payload(7);
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(payload);
        deflater.finish();
        int compressed = deflater.deflate(new byte[2 * payload.length]);
        deflater.end();
        assertThat(compressed).isGreaterThanOrEqualTo(payload.length);
        assertThat(payload(7)).isEqualTo(payload);
        assertThat(payload(8)).isNotEqualTo(payload);
        assertThat(Arrays.copyOf(payload, 992)).isNotEqualTo(Arrays.copyOfRange(payload, 992, 1984));
    }

    private static byte[] payload(long seed) {
        ByteBuffer buffer = ByteBuffer.allocate(992 * 60);
        PacketLayout.fill(buffer, 992, 60, seed);
        return buffer.array();
    }
}
