package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CodecMeterTest {
    @Test
    void visitsAllChunks() {
        for (long chunks = 1; chunks <= 512; chunks++) {
            long ofAll = chunks;
            long step = CodecMeter.step(ofAll);
            assertThat(LongStream.range(0, ofAll).map(i -> i * step % ofAll).distinct())
                    .as("%d chunks with step %d", ofAll, step)
                    .hasSize((int) ofAll);
        }
    }
}
