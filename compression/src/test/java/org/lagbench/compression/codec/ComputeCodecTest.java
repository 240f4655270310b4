package org.lagbench.compression.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.lagbench.compression.chunk.DataGenerator;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec.DataKind;

class ComputeCodecTest {
    private static final int BYTES = 1 << 14;

    private final Codec.Choice choice = Codecs.load().choice("compute-7").orElseThrow();

    @Test
    void computesForTheGivenTimeAndKeepsTheData() throws Exception {
        ByteBuffer data = DataGenerator.generate(DataKind.TEXT, BYTES, 1);
        ByteBuffer to = ByteBuffer.allocateDirect(choice.codec().maximumBytes(BYTES));
        try (Codec.Encoder encoder = choice.codec().openEncoder(choice.level())) {
            long beginNs = System.nanoTime();
            int bytes = encoder.encode(data, to);
            long endNs = System.nanoTime();

            assertThat(endNs - beginNs).isGreaterThanOrEqualTo(7_000_000);
            assertThat(bytes).isEqualTo(BYTES);
            assertThat(to.flip()).isEqualTo(DataGenerator.generate(DataKind.TEXT, BYTES, 1));
        }
    }

    @Test
    void decodesNoChunk() {
        try (Codec.Decoder decoder = choice.codec().openDecoder()) {
            assertThatThrownBy(() -> decoder.decode(ByteBuffer.allocate(1), ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("chunks of the codec compute are sent raw");
        }
    }
}
