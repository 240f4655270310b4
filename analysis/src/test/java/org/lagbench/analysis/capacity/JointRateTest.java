package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.capture.TransferFiles;

class JointRateTest {
    /** 1 MB/s alone for 4 s, then the half of it while both run, then alone again. */
    @Test
    void countsTimeInWhichAllTransfersRun() {
        ProbeCurve first = curve(0, 10, 1_000_000, 4, 10, 500_000);
        ProbeCurve second = curve(4, 13, 500_000, 10, 13, 1_000_000);

        assertThat(JointRate.of(List.of(first, second))).isCloseTo(8e6, within(1e4));
        assertThat(JointRate.of(List.of(first))).isCloseTo(8 * 7e6 / 10, within(1e4));
    }

    @Test
    void hasNoRateIfTransfersHardlyOverlap() {
        ProbeCurve first = curve(0, 5, 1_000_000, 5, 5, 0);
        ProbeCurve second = curve(4.5, 9, 1_000_000, 9, 9, 0);

        assertThat(JointRate.of(List.of(first, second))).isNaN();
    }

    /** Returns states every 10 ms of a transfer that has another rate from one time to another, in s and bytes/s. */
    private static ProbeCurve curve(
            double fromS, double untilS, double bytesPerS, double otherFromS, double otherUntilS, double otherPerS) {
        int at = TransferFiles.TCP_FIELDS.indexOf("at_ns");
        int acked = TransferFiles.TCP_FIELDS.indexOf("acked_bytes");
        return ProbeCurves.of(LongStream.rangeClosed(Math.round(fromS * 100), Math.round(untilS * 100))
                .mapToObj(tick -> {
                    double s = tick / 100.0;
                    double otherS = Math.max(0, Math.min(s, otherUntilS) - otherFromS);
                    long[] state = new long[TransferFiles.TCP_FIELDS.size()];
                    state[at] = 1_700_000_000_000_000_000L + tick * 10_000_000;
                    state[acked] = Math.round((s - fromS - otherS) * bytesPerS + otherS * otherPerS);
                    return state;
                })
                .toList());
    }
}
