package org.lagbench.analysis.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.capacity.PacketTrain;
import org.lagbench.analysis.matrix.SummaryComparison.FlowSummary;

class FlowSummaryTest {
    private static final int PER_INTERVAL = 4;

    /** The means of intervals alternate between 1 ms and 3 ms. Two packets of each deviate by ± 0.5 ms, two do not. */
    @Test
    void computesStatisticsOfKnownDelays() {
        double[] within = {-0.5, 0, 0, 0.5};
        FlowSummary summary = summary(i -> 2 + (i / PER_INTERVAL % 2 == 0 ? -1 : 1) + within[i % PER_INTERVAL]);

        assertThat(summary.skewness()).isZero();
        assertThat(summary.variabilityNs()).isCloseTo(0.25e6, within(1e-3));
        assertThat(summary.frequency()).isCloseTo(49 / 50.0, within(1e-12));
        assertThat(summary.loss()).isZero();
        assertThat(summary.isCongested(false)).isTrue();
    }

    /** One of four packets has a delay of 5 ms, the others of 1 ms: three of four are below the mean of 2 ms. */
    @Test
    void treatsRareDelaysAsNoCongestion() {
        FlowSummary summary = summary(i -> i % PER_INTERVAL == 0 ? 5 : 1);

        assertThat(summary.skewness()).isEqualTo(0.5);
        assertThat(summary.variabilityNs()).isCloseTo(1.5e6, within(1e-3));
        assertThat(summary.isCongested(true)).isFalse();
    }

    @Test
    void countsLossAsCongestion() {
        FlowSummary summary = summary(i -> i % PER_INTERVAL == 0 ? Double.NaN : i % PER_INTERVAL == 1 ? 9 : 1);

        assertThat(summary.loss()).isEqualTo(0.25);
        assertThat(summary.skewness()).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(summary.isCongested(false)).isTrue();
    }

    @Test
    void groupsSharedFlowsOfCongestedQueue() {
        Random random = new Random(3);
        SimulatedQueue queue = new SimulatedQueue(random, 1.0);
        SummaryComparison test = SummaryComparison.of(
                SimulatedQueue.flow(random, 5, 0, queue), SimulatedQueue.flow(random, 5, 90, queue));

        assertThat(test.windows()).isGreaterThan(10);
        assertThat(test.similar()).isGreaterThan(0.9);
        assertThat(test.sharing()).isEqualTo(Sharing.SHARED);
    }

    private interface Delay {
        double ms(int packet);
    }

    private static FlowSummary summary(Delay delay) {
        int packets = FlowSummary.INTERVALS * PER_INTERVAL;
        long[] sent = new long[packets];
        long[] received = new long[packets];
        for (int i = 0; i < packets; i++) {
            sent[i] = i * FlowSummary.INTERVAL_NS / PER_INTERVAL;
            received[i] = Double.isNaN(delay.ms(i)) ? 0 : sent[i] + (long) (delay.ms(i) * 1e6);
        }
        return FlowSummary.of(new PacketTrain(sent, sent, received, 0), 0);
    }
}
