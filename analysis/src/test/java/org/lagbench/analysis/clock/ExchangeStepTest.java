package org.lagbench.analysis.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.clock.SimulatedClocks.Step;

/** Finds steps in two-way stamps alone. */
class ExchangeStepTest {
    @Test
    void findsNoStepOfSteadyClocks() {
        for (int seed = 0; seed < 100; seed++) {
            SimulatedClocks clocks = new SimulatedClocks(seed);
            clocks.queueNs = seed % 2 == 0 ? 2_000 : 500_000;
            assertThat(StepSearch.findInExchanges(clocks.exchanges(seed % 10, 4)))
                    .as("seed %d", seed)
                    .isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 4e9, 1e6", "10, 9.9e9, -1e6", "10, 0.05e9, 1e6", "3, 1.6e9, 0.4e6", "60, 59.9e9, -300e6"})
    void findsTimeAndSizeOfStep(double seconds, double stepAtNs, double stepNs) {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedClocks clocks = new SimulatedClocks(seed);
            clocks.steps.add(new Step(stepAtNs, stepNs, false));
            StampStep step = StepSearch.findInExchanges(clocks.exchanges(seconds, 4));
            assertThat(step).as("seed %d", seed).isNotNull();
            assertThat(step.afterNs() - SimulatedClocks.EPOCH_NS).isLessThanOrEqualTo((long) stepAtNs);
            assertThat(step.beforeNs() - SimulatedClocks.EPOCH_NS).isGreaterThanOrEqualTo((long) stepAtNs);
            assertThat(step.beforeNs() - step.afterNs())
                    .as("seed %d, %s", seed, step)
                    .isLessThan(800_000_000L);
            assertThat((double) step.sizeNs()).as("seed %d", seed).isCloseTo(stepNs, within(20_000.0));
            assertThat(stepNs).as("seed %d", seed).isBetween((double) step.leastNs(), (double) step.greatestNs());
        }
    }

    @Test
    void missesStepBelowHalfRoundTrip() {
        SimulatedClocks clocks = new SimulatedClocks(3);
        clocks.steps.add(new Step(5e9, 10_000, false));
        assertThat(StepSearch.findInExchanges(clocks.exchanges(10, 4))).isNull();
    }
}
