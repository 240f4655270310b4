package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-java")
class RepeatDependenceTest {
    @Test
    void doesNotWidenIntervalOfIndependentValues() {
        assertThat(RepeatDependence.of(2, 2, 2, 2, 2, 2)).isEqualTo(new RepeatDependence(0, false));
        RepeatDependence alternating = RepeatDependence.of(1, 2, 1, 2, 1, 2, 1, 2, 1, 2);
        assertThat(alternating).isEqualTo(new RepeatDependence(0, false));
        assertThat(alternating.effective(10)).isEqualTo(10);
        assertThat(alternating.stretch(1, 2, 3)).containsExactly(1, 2, 3);
    }

    @Test
    void reportsTrend() {
        assertThat(RepeatDependence.of(1, 2, 3, 4, 5, 6).isShown()).isTrue();
        assertThat(RepeatDependence.of(6, 5, 4, 3, 2, 1)).isEqualTo(RepeatDependence.of(1, 2, 3, 4, 5, 6));
        assertThat(RepeatDependence.of(3, 1, 4, 2, 6, 5, 0, 2).isShown()).isFalse();
    }

    @Test
    void stretchesDistancesFromMedian() {
        double[] stretched = new RepeatDependence(.6, true).stretch(1, 2, 4);
        assertThat(stretched).containsExactly(new double[] {0, 2, 6}, within(1e-12));
        assertThat(new RepeatDependence(.6, true).effective(20)).isCloseTo(5, within(1e-12));
    }

    /** The correlation of a long series is known. */
    @Test
    void findsCorrelationOfAutoregressiveProcess() {
        Random random = new Random(3);
        double[] state = {0};
        double[] values = IntStream.range(0, 20_000)
                .mapToDouble(i -> state[0] = .8 * state[0] + random.nextGaussian())
                .toArray();
        RepeatDependence dependence = RepeatDependence.of(values);
        assertThat(dependence.correlation()).isCloseTo(.8, within(.02));
        assertThat(dependence.isShown()).isTrue();
    }
}
