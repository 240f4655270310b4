package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;

/** Tests the choices by Hu's models at bandwidths near the crossovers of Hu's Table 1. */
class ModelChooserTest {
    private static final int NONE = 0;
    private static final int GZIP = 1;
    private static final int REFRESH = 64;
    private static final int RAW_BYTES = 1_000_000_000;
    private static final double MB = 1e6;

    private final List<Codec.Choice> codecs = Codecs.load().choices(List.of("none", "gzip-6"));
    private final ByteBuffer chunk = ByteBuffer.allocate(1 << 14);
    private final KnownBandwidth bandwidth = new KnownBandwidth();

    private static final class KnownBandwidth implements PathBandwidth {
        private double mbitPerS = -1;
        private boolean hasBacklog;

        @Override
        public void connected(long lastBytes) {}

        @Override
        public void progress(SocketState state) {}

        @Override
        public boolean hasBacklog() {
            return hasBacklog;
        }

        @Override
        public double bitsPerS() {
            return mbitPerS * MB;
        }
    }

    private int choose(ModelChooser chooser, double mbitPerS) {
        bandwidth.mbitPerS = mbitPerS;
        return chooser.choose(chunk);
    }

    /** Reports a chunk of a codec with this speed and ratio. */
    private static void measure(ModelChooser chooser, double mbPerS, double ratio) {
        chooser.choose(ByteBuffer.allocate(1));
        chooser.encoded(GZIP, RAW_BYTES, (int) Math.round(RAW_BYTES / ratio), Math.round(RAW_BYTES * 1e3 / mbPerS));
    }

    /** The crossovers are in Mb/s. */
    @ParameterizedTest
    @CsvSource({
        "TXT,    .84569, 4.0676, 5.10, 6.77",
        "PS,     .77839, 3.8816, 4.62, 6.23",
        "Binary, .65497, 2.0746, 2.71, 5.24",
        "PDF,    .87562, 1.1856, 1.10, 7.01",
        "JPG,    .83335, 1.0075,  .05, 6.67",
    })
    void choosesGzipBelowTheCrossoverOnly(String data, double mbPerS, double ratio, double simple, double overlap) {
        ModelChooser ofPaper = ModelChooser.ofPaper(codecs, bandwidth);
        ModelChooser ofOverlap = ModelChooser.ofOverlap(codecs, bandwidth);
        measure(ofPaper, mbPerS, ratio);
        measure(ofOverlap, mbPerS, ratio);

        assertThat(choose(ofPaper, .99 * simple)).as(data).isEqualTo(GZIP);
        assertThat(choose(ofPaper, 1.01 * simple)).as(data).isEqualTo(NONE);
        assertThat(choose(ofOverlap, .99 * overlap)).as(data).isEqualTo(GZIP);
        assertThat(choose(ofOverlap, 1.01 * overlap)).as(data).isEqualTo(NONE);
    }

    @Test
    void compressesWaitingChunksWhileBandwidthIsUnknown() {
        ModelChooser chooser = ModelChooser.ofPaper(codecs, bandwidth);
        measure(chooser, .65497, 2.0746);

        assertThat(chooser.choose(chunk)).isEqualTo(NONE);
        bandwidth.hasBacklog = true;
        assertThat(chooser.choose(chunk)).isEqualTo(GZIP);
        assertThat(chooser.estimate()).isNull();
    }

    @Test
    void refreshesTheEstimatesOnAFastPath() {
        ModelChooser chooser = ModelChooser.ofPaper(codecs, bandwidth);
        measure(chooser, .65497, 2.0746);

        for (int i = 1; i <= 3 * REFRESH; i++) {
            assertThat(choose(chooser, 100)).as("chunk " + i).isEqualTo(i % REFRESH == 0 ? GZIP : NONE);
        }
    }

    @Test
    void reportsTheEstimatesOfTheDecision() {
        ModelChooser chooser = ModelChooser.ofPaper(codecs, bandwidth);
        measure(chooser, .5, 4);
        choose(chooser, 2);

        CodecEstimate estimate = Objects.requireNonNull(chooser.estimate());
        assertThat(estimate.ratio()).isEqualTo(4);
        assertThat(estimate.bytesPerS()).isEqualTo(500_000);
        assertThat(chooser.estimatedBandwidthBitsPerS()).isEqualTo(2_000_000);
    }
}
