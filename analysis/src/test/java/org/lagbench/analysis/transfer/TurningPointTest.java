package org.lagbench.analysis.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.statistics.Interval;

/** Tests turning points with transfers of 100 chunks, for which ts is 20 ms and tb is 1 ms: the turn is at 19 ms. */
class TurningPointTest {
    private static final double MS = 1e6;

    /** Returns a run with a total that differs from the broken line by a factor. */
    private static CompressionMetrics run(double computeMs, double factor) {
        double totalMs = computeMs < 19 ? computeMs + 100 * 20 : 100 * computeMs + 99 * 1 + 20;
        return metrics(computeMs, totalMs * factor);
    }

    private static CompressionMetrics metrics(double computeMs, double totalMs) {
        return new CompressionMetrics(1, 100, 1, 1, 1, totalMs * MS, 100 * computeMs * MS, 0, 0, 0, 100 * 16_384.0, 0);
    }

    private static TurningPoint fit(List<List<CompressionMetrics>> points) {
        return Objects.requireNonNull(TurningPoint.of(points));
    }

    /**
     * Three runs at each of eight times, with noise of ± 0.5 %. The standard deviation of uniform noise is its width
     * divided by √12: that of ts is 0.015 ms, and that of the turn 0.030 ms. With 16 degrees of freedom, the interval
     * is 2 · 2.12 times as wide: 0.06 and 0.13 ms.
     */
    @Test
    void findsTheTurningPointOfABrokenLine() {
        SplittableRandom random = new SplittableRandom(16);
        List<List<CompressionMetrics>> points = new ArrayList<>();
        for (double computeMs : new double[] {2, 6, 10, 14, 18, 22, 26, 30}) {
            List<CompressionMetrics> runs = new ArrayList<>();
            for (int repeat = 0; repeat < 3; repeat++) {
                runs.add(run(computeMs, 1 + (random.nextDouble() - .5) / 100));
            }
            points.add(runs);
        }

        TurningPoint found = fit(points);

        assertThat(found.transmitNs().value() / MS).isCloseTo(20, within(3 * .015));
        assertThat(found.turningNs().value() / MS).isCloseTo(19, within(3 * .030));
        assertThat(width(found.transmitNs()) / MS).isCloseTo(.06, within(.02));
        assertThat(width(found.turningNs()) / MS).isCloseTo(.13, within(.03));
        assertThat(20 * MS)
                .isBetween(found.transmitNs().low(), found.transmitNs().high());
        assertThat(19 * MS).isBetween(found.turningNs().low(), found.turningNs().high());
        assertThat(found.bitsPerS().value()).isCloseTo(16_384 * 8 / .02, within(15_000.0));
    }

    private static double width(Interval interval) {
        return interval.high() - interval.low();
    }

    /** Points that deviate from the line, each with equal runs: a resample of the runs of a point changes nothing. */
    @Test
    void resamplesTheRunsOfEachPoint() {
        double[] factors = {1.01, .99, 1, .98, 1.02, 1.01};
        List<List<CompressionMetrics>> points = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            points.add(Collections.nCopies(2, run(3 + 5 * i, factors[i])));
        }

        TurningPoint found = fit(points);

        assertThat(width(found.transmitNs())).isCloseTo(0, within(1e-3));
        assertThat(width(found.turningNs())).isCloseTo(0, within(1e-3));
        TurningPoint single =
                fit(points.stream().map(runs -> runs.subList(0, 1)).toList());
        assertThat(single.turningNs().low()).as("one run at each time").isNaN();
    }

    /**
     * One of five points has runs on both sides of the turn. A resample with both puts the one at 18.2 ms on the steep
     * side. This side's intercept is 119 ms, but 198.2 ms for that run. A resample with only one of them has an exact
     * fit.
     */
    @Test
    void splitsThePointsOfEachResample() {
        List<List<CompressionMetrics>> points = List.of(
                List.of(run(5, 1), run(5, 1)),
                List.of(run(10, 1), run(10, 1)),
                List.of(run(18.2, 1), run(19.8, 1)),
                List.of(run(30, 1), run(30, 1)),
                List.of(run(40, 1), run(40, 1)));

        TurningPoint found = fit(points);

        assertThat(found.turningNs().low() / MS)
                .isCloseTo((2_000 - (5 * 119 + 198.2) / 6) / 99, within(1e-6))
                .isCloseTo(found.turningNs().value() / MS, within(1e-6));
        assertThat(found.turningNs().high() / MS).isCloseTo(19, within(1e-6));
    }

    @Test
    void findsNoTurningPointOnAStraightLine() {
        List<List<CompressionMetrics>> points = new ArrayList<>();
        for (int computeMs = 1; computeMs <= 6; computeMs++) {
            points.add(List.of(metrics(computeMs, 100 * computeMs)));
        }
        assertThat(TurningPoint.of(points)).isNull();
    }

    /** Table 2 of Hu (2003): the time to transmit a chunk of 64 KB, and the bandwidth. */
    @ParameterizedTest
    @CsvSource({".115, 4.56", ".155, 3.38"})
    void computesTheBandwidthOfTable2(double transmitS, double megabitsPerS) {
        Interval transmit = new Interval(transmitS * 1e9, .8 * transmitS * 1e9, 1.25 * transmitS * 1e9);

        Interval bitsPerS = new TurningPoint(1, 100, transmit, transmit, 64 * 1_024).bitsPerS();

        assertThat(bitsPerS.value() / 1e6).isCloseTo(megabitsPerS, within(.005));
        assertThat(bitsPerS.low() / bitsPerS.value()).isCloseTo(.8, within(1e-9));
        assertThat(bitsPerS.high() / bitsPerS.value()).isCloseTo(1.25, within(1e-9));
    }
}
