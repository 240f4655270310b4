package org.lagbench.analysis.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockJumpTest {
    @Test
    void findsNoJumpOfSteadyClocks() {
        for (int seed = 0; seed < 100; seed++) {
            SimulatedClocks clocks = new SimulatedClocks(seed);
            clocks.queueNs = seed % 2 == 0 ? 2_000 : 500_000;
            assertThat(ClockJump.find(clocks.twoWay(seed % 10, 4)))
                    .as("seed %d", seed)
                    .isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 4e9, 1e6", "10, 9.9e9, -1e6", "10, 0.05e9, 1e6", "3, 1.6e9, 0.4e6", "60, 59.9e9, -300e6"})
    void findsTheTimeAndSizeOfAJump(double seconds, double stepAtNs, double stepNs) {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedClocks clocks = new SimulatedClocks(seed);
            clocks.stepAtNs = stepAtNs;
            clocks.stepNs = stepNs;
            ClockJump jump = ClockJump.find(clocks.twoWay(seconds, 4));
            assertThat(jump).as("seed %d", seed).isNotNull();
            assertThat(jump.afterNs() - SimulatedClocks.EPOCH_NS).isLessThanOrEqualTo((long) stepAtNs);
            assertThat(jump.beforeNs() - SimulatedClocks.EPOCH_NS).isGreaterThanOrEqualTo((long) stepAtNs);
            assertThat(jump.beforeNs() - jump.afterNs())
                    .as("seed %d, %s", seed, jump)
                    .isLessThan(800_000_000L);
            assertThat((double) jump.sizeNs()).as("seed %d", seed).isCloseTo(stepNs, within(100_000.0));
        }
    }

    @Test
    void missesAJumpBelowHalfARoundTrip() {
        SimulatedClocks clocks = new SimulatedClocks(3);
        clocks.stepAtNs = 5e9;
        clocks.stepNs = 10_000;
        assertThat(ClockJump.find(clocks.twoWay(10, 4))).isNull();
    }

    @Test
    void describesTimeAndSize() {
        long start = SimulatedClocks.EPOCH_NS;
        assertThat(new ClockJump(start + 3_960_000_000L, start + 4_210_000_000L, 1_003_400L).sentence(start))
                .isEqualTo("By the two-way stamps the receiver's clock jumped by about +1.003 ms against the sender's"
                        + " between 3.9 s and 4.3 s after the first packet: one of them was set, or its rate"
                        + " changed.");
        assertThat(new ClockJump(start, start + 9_000_000_000L, null).sentence(start))
                .isEqualTo(
                        "By the two-way stamps the clocks did not run steadily between 0.0 s and 9.0 s after the first"
                                + " packet: one of them was set, or its rate changed.");
    }
}
