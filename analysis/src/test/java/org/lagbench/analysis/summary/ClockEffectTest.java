package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.core.clock.ClockBound;

@Tag("one-java")
class ClockEffectTest {
    private static ClockEffect effect(@Nullable Long boundNs) {
        return new ClockEffect(
                boundNs, Set.of(ClockBound.Basis.SAME_KERNEL), List.of(), 0L, List.of(), List.of(), List.of());
    }

    /** One clock that is fast or slow stamps both sides: the measured lag is wrong in proportion to the lag. */
    @Test
    void errorContainsEffectOfClockRate() {
        for (int ppm = -500; ppm <= 500; ppm += 20) {
            for (double trueNs : new double[] {0, 1_000, 30e6, -2e6}) {
                double measuredNs = trueNs * (1 + ppm / 1e6);
                assertThat(Math.abs(measuredNs - trueNs))
                        .as("%d ppm, %.0f ns", ppm, trueNs)
                        .isLessThanOrEqualTo(effect(1L).errorNs(measuredNs));
            }
        }
        assertThat(effect(40L).errorNs(10e6)).isCloseTo(5_042.5, within(.1));
        assertThat(effect(null).errorNs(1)).isInfinite();
    }
}
