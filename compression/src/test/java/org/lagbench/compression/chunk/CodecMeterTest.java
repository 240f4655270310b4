package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.Codec;
import org.lagbench.core.run.CompressionSpec.DataKind;

class CodecMeterTest {
    private static final int CHUNK = 1 << 14;

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

    /** A thread that waits uses no CPU time, as one that other programs keep from the processor. */
    @Test
    void speedDoesNotCountTimeWithoutTheProcessor() throws Exception {
        CodecMeter.FileMeasurements measured =
                CodecMeter.measureFiles(new Codec.Choice(new WaitingCodec(), 0), DataKind.TEXT, 1, CHUNK, CHUNK);
        assertThat(measured.bytesPerS().get(0)).isGreaterThan(10.0 * CHUNK / WaitingCodec.WAIT_S);
    }

    /** A codec whose encoder waits for each chunk, then copies it. */
    private static final class WaitingCodec implements Codec {
        static final double WAIT_S = .05;

        @Override
        public String name() {
            return "waiting";
        }

        @Override
        public int id() {
            return 127;
        }

        @Override
        public int maximumBytes(int bytes) {
            return bytes;
        }

        @Override
        public Encoder openEncoder(int level) {
            return (from, to) -> {
                LockSupport.parkNanos((long) (WAIT_S * 1e9));
                int bytes = from.remaining();
                to.put(from);
                return bytes;
            };
        }

        @Override
        public Decoder openDecoder() {
            throw new UnsupportedOperationException();
        }
    }
}
