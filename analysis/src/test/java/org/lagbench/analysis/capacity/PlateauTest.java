package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.capture.TransferFiles;

class PlateauTest {
    /** The rate grows by 8 % each ms, is 0 from 60 ms to 900 ms, and then grows again. */
    @Test
    void doesNotMistakePauseForSteadyRate() {
        int at = TransferFiles.TCP_FIELDS.indexOf("at_ns");
        int acked = TransferFiles.TCP_FIELDS.indexOf("acked_bytes");
        int segment = TransferFiles.TCP_FIELDS.indexOf("mss_bytes");
        ProbeCurve curve = ProbeCurves.of(IntStream.rangeClosed(0, 980)
                .mapToObj(ms -> {
                    long[] state = new long[TransferFiles.TCP_FIELDS.size()];
                    state[at] = ms * 1_000_000L;
                    state[acked] = Math.round(
                            14_480 * (Math.pow(1.08, Math.min(ms, 60)) + Math.pow(1.08, Math.max(0, ms - 900))));
                    state[segment] = 1_448;
                    return state;
                })
                .toList());

        assertThat(Plateau.of(curve, curve.last(), 20e6, 1e6)).isNull();
    }
}
