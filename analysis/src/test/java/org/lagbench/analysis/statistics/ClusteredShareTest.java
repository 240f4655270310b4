package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.math3.random.RandomDataGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("one-java")
class ClusteredShareTest {
    private static final int DRAWS = 4_000;
    private static final double SHARE = .01;

    /**
     * The true share is 1 %, in bursts of a geometric length. The runs' own shares are lognormal: with σ = 1, one run
     * in six loses 2.7 times as much as the median one. Four standard errors of the simulation are 1.3 %.
     */
    @ParameterizedTest(name = "{0} runs of {1} packets, spread {2}, bursts of {3}")
    @CsvSource({
        "6, 10000, 0, 20",
        "6, 10000, 0.5, 20",
        "6, 10000, 1, 20",
        "6, 10000, 1, 3",
        "6, 10000, 1, 1",
        "12, 10000, 0, 20",
        "12, 10000, 0.5, 1",
        "12, 10000, 1, 20",
        "12, 10000, 1, 1",
        "20, 10000, 0, 20",
        "20, 10000, 0.5, 20",
        "20, 10000, 1, 1",
        "6, 100000, 0, 20",
        "6, 100000, 1, 20",
        "20, 5000, 0, 20",
        "20, 5000, 1, 20",
        "40, 100000, 1, 1"
    })
    void coversTrueShare(int runs, int packets, double spread, double burst) {
        RandomDataGenerator random = new RandomDataGenerator(new Well19937c(20261129));
        int covered = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] lost = new double[runs];
            double[] sent = new double[runs];
            for (int run = 0; run < runs; run++) {
                double share = SHARE * Math.exp(spread * random.nextGaussian(0, 1) - spread * spread / 2);
                sent[run] = packets;
                lost[run] = Math.min(packets, lost(random, packets * share / burst, burst));
            }
            Interval interval = new ClusteredShare(lost, sent, ClusteredShare.ASSUMED_BURST).interval();
            covered += interval.low() <= SHARE && SHARE <= interval.high() ? 1 : 0;
        }
        assertThat((double) covered / DRAWS).isBetween(.92, .99);
    }

    /** Returns how many packets are lost in a number of bursts that is Poisson, of a mean length. */
    private static double lost(RandomDataGenerator random, double bursts, double length) {
        long left = random.nextPoisson(bursts);
        if (length == 1) {
            return left;
        }
        double mean = -1 / Math.log1p(-1 / length);
        double packets = 0;
        for (; left > 0; left--) {
            packets += Math.max(1, Math.ceil(random.nextExponential(mean)));
        }
        return packets;
    }

    /** What is left of a rare share has the mirrored interval. */
    @Test
    void isSymmetric() {
        double[] wholes = {1_000, 1_000, 1_000, 1_000, 1_000, 500};
        double[] rare = {0, 3, 20, 7, 120, 1};
        double[] rest = new double[rare.length];
        java.util.Arrays.setAll(rest, i -> wholes[i] - rare[i]);
        Interval ofRare = new ClusteredShare(rare, wholes, 10).interval();
        Interval ofRest = new ClusteredShare(rest, wholes, 10).interval();
        assertThat(ofRest.low()).isCloseTo(1 - ofRare.high(), within(1e-6));
        assertThat(ofRest.high()).isCloseTo(1 - ofRare.low(), within(1e-6));
    }

    /** More copies than packets: as R's {@code t.test} for equal wholes. */
    @Test
    void ratioAboveWholeHasIntervalOfStudent() {
        Interval ratio = new ClusteredShare(new double[] {1, 2, 3, 4}, new double[] {1, 1, 1, 1}, 1).interval();
        assertThat(ratio.value()).isEqualTo(2.5);
        assertThat(ratio.low()).isCloseTo(.445_739_7, within(1e-6));
        assertThat(ratio.high()).isCloseTo(4.554_260_3, within(1e-6));
    }

    /** (1 − limit)^(n / burst) is the probability of no event among n, if bursts are as long. */
    @ParameterizedTest
    @CsvSource({"0.01, 0.05, 1, 299", "0.01, 0.00625, 1, 505", "0.01, 0.05, 10, 2981"})
    void wholeWithoutEventProvesLimit(double limit, double tail, double burst, long packets) {
        assertThat(ClusteredShare.wholeWithoutEvent(limit, tail, burst)).isEqualTo(packets);
    }
}
