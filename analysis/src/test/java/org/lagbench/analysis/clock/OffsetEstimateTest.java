package org.lagbench.analysis.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.clock.OffsetEstimate.OffsetLine;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;

/** Compares both estimators with simulated clocks. */
class OffsetEstimateTest {
    private static final int TRIALS = 50;
    private static final double SECONDS = 10;

    @Test
    void estimatesAccuratelyFromTwoWayStamps() {
        assertAccurate(clocks -> twoWay(clocks.twoWay(SECONDS, 5)), 1_000, 0.1);
    }

    @Test
    void estimatesAccuratelyByHulls() {
        assertAccurate(clocks -> byHulls(clocks, SECONDS, 1_000_000), 1_000, 0.05);
    }

    private static void assertAccurate(Function<SimulatedClocks, OffsetEstimate> estimator, double ns, double ppm) {
        double squares = 0;
        double skewSquares = 0;
        for (int seed = 0; seed < TRIALS; seed++) {
            SimulatedClocks clocks = new SimulatedClocks(seed);
            OffsetEstimate estimate = estimator.apply(clocks);
            assertThat(clocks.errorNs(estimate)).as("seed %d", seed).isBetween(-ns, ns);
            squares += Math.pow(clocks.errorNs(estimate), 2);
            skewSquares += Math.pow(clocks.skewErrorPpm(estimate), 2);
            assertWithinUncertainty(clocks, estimate, seed);
        }
        assertThat(Math.sqrt(squares / TRIALS)).as("RMS error, ns").isLessThan(ns / 2);
        assertThat(Math.sqrt(skewSquares / TRIALS)).as("RMS error, ppm").isLessThan(ppm);
    }

    @Test
    void intervalContainsTrueOffsetForAnyQueue() {
        int seed = 1_000;
        for (double seconds : new double[] {0.001, 0.1, 1, 30}) {
            for (double queueNs : new double[] {0, 50_000, 5_000_000}) {
                for (int trial = 0; trial < 5; trial++, seed++) {
                    SimulatedClocks clocks = new SimulatedClocks(seed);
                    clocks.queueNs = queueNs;
                    assertWithinUncertainty(clocks, twoWay(clocks.twoWay(seconds, 3)), seed);
                    assertWithinUncertainty(clocks, byHulls(clocks, seconds, 1_000_000), seed);
                }
            }
        }
    }

    @Test
    void ignoresPacketsFasterOrSlowerThanRequests() {
        for (double packetNs : new double[] {2_000, 500_000}) {
            SimulatedClocks clocks = new SimulatedClocks(23);
            OffsetEstimate estimate = byHulls(clocks, SECONDS, 1_000_000, packetNs);
            assertThat(clocks.errorNs(estimate)).as("%s", packetNs).isBetween(-1_000.0, 1_000.0);
            assertWithinUncertainty(clocks, estimate, 23);
        }
    }

    @Test
    void includesPathAsymmetryInTheUncertainty() {
        SimulatedClocks clocks = new SimulatedClocks(7);
        clocks.forwardNs = 10_000_000;
        clocks.backwardNs = 10_000;
        for (OffsetEstimate estimate :
                new OffsetEstimate[] {twoWay(clocks.twoWay(SECONDS, 5)), byHulls(clocks, SECONDS, 1_000_000)}) {
            assertThat(clocks.errorNs(estimate)).isBetween(4_990_000.0, 5_000_000.0);
            assertThat(clocks.skewErrorPpm(estimate)).isBetween(-1.0, 1.0);
            assertThat(estimate.uncertaintyNs()).isBetween(5_005_000L, 5_020_000L);
            assertWithinUncertainty(clocks, estimate, 7);
        }
    }

    @Test
    void hasNoUncertaintyAfterStep() {
        SimulatedClocks clocks = new SimulatedClocks(11);
        clocks.steps.add(new SimulatedClocks.Step(4e9, 1e6, false));
        OffsetEstimate estimate = twoWay(clocks.twoWay(SECONDS, 4));
        assertThat(estimate.uncertaintyNs()).isNull();
        assertThat(estimate.skewUncertaintyPpm()).isNull();
    }

    @Test
    void estimatesFromOneExchange() {
        // 100 ns forward, 300 back, the receiver's clock 1,000 ns ahead: estimated as 200, 200 and 900 ns
        TwoWayStamps stamps = new TwoWayStamps(List.of(new TwoWayExchange(5_000, 6_100, 6_150, 5_450)));
        OffsetEstimate estimate = twoWay(stamps);
        assertThat(estimate.midSpanNs()).isEqualTo(5_225);
        assertThat(estimate.midSpanOffsetNs()).isEqualTo(900);
        assertThat(estimate.line().skew()).isZero();
        // at 5,450 ns a line of 500 ppm through 6,100 − 5,000 is 0.225 ns higher
        assertThat(estimate.uncertaintyNs()).isBetween(200L, 203L);
        assertThat(estimate.skewUncertaintyPpm()).isEqualTo(500.0);
    }

    @Test
    void keepsPrecisionFarFromTheEpoch() {
        OffsetLine line = new OffsetLine(Long.MAX_VALUE / 2, Long.MAX_VALUE / 4 + 1, 0.25, 1e-6);
        assertThat(line.offsetNs(Long.MAX_VALUE / 2)).isEqualTo(Long.MAX_VALUE / 4 + 1);
        assertThat(line.offsetNs(Long.MAX_VALUE / 2 + 3_000_000)).isEqualTo(Long.MAX_VALUE / 4 + 4);
        assertThat(line.skewPpm()).isEqualTo(1.0);
    }

    private static OffsetEstimate twoWay(TwoWayStamps stamps) {
        return Estimator.ofTwoWay(stamps, stamps.firstNs(), stamps.lastNs());
    }

    private static OffsetEstimate byHulls(SimulatedClocks clocks, double seconds, double intervalNs) {
        return byHulls(clocks, seconds, intervalNs, clocks.forwardNs);
    }

    private static OffsetEstimate byHulls(SimulatedClocks clocks, double seconds, double intervalNs, double packetNs) {
        TwoWayStamps stamps = clocks.twoWay(seconds, 5);
        OffsetLines lines = OffsetLines.of(stamps);
        for (double ns = 0; ns < seconds * 1e9; ns += intervalNs) {
            long sentNs = clocks.sender(ns);
            lines.addForward(sentNs, clocks.receiver(ns + packetNs + clocks.queue()) - sentNs);
        }
        return Estimator.ofHulls(stamps, lines, stamps.firstNs(), stamps.lastNs());
    }

    private static void assertWithinUncertainty(SimulatedClocks clocks, OffsetEstimate estimate, int seed) {
        assertThat(estimate.uncertaintyNs()).as("seed %d", seed).isNotNull();
        assertThat(estimate.skewUncertaintyPpm()).as("seed %d", seed).isNotNull();
        double spanNs = 2.0 * (estimate.midSpanNs() - SimulatedClocks.EPOCH_NS + 50_000_000);
        for (double at : new double[] {0, 0.5, 1}) {
            double ns = -50e6 + at * spanNs;
            double errorNs = estimate.line().offsetNs(SimulatedClocks.EPOCH_NS + (long) ns) - clocks.offsetAt(ns);
            assertThat(Math.abs(errorNs))
                    .as("seed %d at %s", seed, at)
                    .isLessThanOrEqualTo(estimate.uncertaintyNs() + 2.0);
        }
        assertThat(Math.abs(clocks.skewErrorPpm(estimate)))
                .as("seed %d", seed)
                .isLessThanOrEqualTo(estimate.skewUncertaintyPpm());
    }
}
