package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.clock.ChronyTracking.Leap;

class ChronyTrackingTest {
    /** The bound, |correction| + dispersion + delay / 2, and dispersion + delay / 2 alone; rounded up, at most 2^61. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0",
        "100, 20, 10, 125, 25",
        "-100, 20, 10, 125, 25",
        "0.25, 0.25, 1, 1, 1",
        "0.25, 0.25, 1.0000001, 2, 1",
        "0, 0, 4.9e-324, 0, 0", // half the smallest double is 0
        "0, 1e-300, 0, 1, 1",
        "9e27, 1, 0, 2305843009213693952, 1"
    })
    void roundsBoundUp(double correction, double dispersion, double delay, long bound, long corrected) {
        ChronyTracking tracking = new ChronyTracking(
                "0A630001", "10.99.0.1", 9, Leap.NORMAL, 0, correction, 0, 0, 0, 0, 0, delay, dispersion, 1);
        assertThat(tracking.boundNs()).isEqualTo(bound);
        assertThat(tracking.correctedBoundNs()).isEqualTo(corrected);
    }
}
