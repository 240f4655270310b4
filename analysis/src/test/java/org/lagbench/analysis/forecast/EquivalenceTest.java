package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.forecast.Equivalence.ErrorCurve;
import org.lagbench.analysis.forecast.Equivalence.ErrorHistogram;
import org.lagbench.analysis.forecast.Equivalence.Regression;
import org.lagbench.analysis.forecast.Equivalence.TwoSampleTest;
import org.lagbench.analysis.forecast.ForecastTrace.Pairs;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;

class EquivalenceTest {
    private static final int VALUES = 3000;

    private static TimedSeries series(String name, double first, double every, double... values) {
        return new TimedSeries(
                name,
                IntStream.range(0, values.length)
                        .mapToDouble(i -> first + i * every)
                        .toArray(),
                values);
    }

    /** Returns round trips around 100 with drift and a few spikes. */
    private static double[] roundTrips(int seed, double factor) {
        Random random = new Random(seed);
        return IntStream.range(0, VALUES)
                .mapToDouble(i -> factor
                        * (100
                                + 10 * Math.sin(i / 300.0)
                                + 3 * random.nextGaussian()
                                + (random.nextInt(500) == 0 ? 200 : 0)))
                .toArray();
    }

    private static Equivalence compare(double[] a, double[] b) {
        return Equivalence.of(series("c", 0, 12, a), series("java", 6, 12, b), Selection.PAPER);
    }

    @Test
    void findsTwoSamplesOfOneProcessEquivalent() {
        Equivalence same = compare(roundTrips(1, 1), roundTrips(2, 1));
        assertThat(same.mseIntervals().isEquivalent()).isTrue();
        assertThat(same.conformalIntervals().isEquivalent()).isTrue();
        assertThat(same.conformalIntervals().first().own()).isBetween(0.94, 0.96);
        assertThat(same.regressionWithoutOutliers().slope()).isCloseTo(1, within(0.02));
        assertThat(same.meanRatio()).isNotNull().matches(MeanRatio::isEquivalent);
        assertThat(same.errors().kolmogorovSmirnov()).isGreaterThan(0.05);
        assertThat(same.errors().mannWhitney()).isGreaterThan(0.05);
    }

    @Test
    void findsDifferentLevelsNotEquivalent() {
        Equivalence other = compare(roundTrips(1, 1), roundTrips(2, 1.3));
        assertThat(other.mseIntervals().isEquivalent()).isFalse();
        assertThat(other.conformalIntervals().isEquivalent()).isFalse();
        assertThat(other.regression().slope()).isCloseTo(1.3, within(0.02));
        MeanRatio ratio = other.meanRatio();
        assertThat(ratio).isNotNull();
        assertThat(ratio.isEquivalent()).isFalse();
        assertThat(ratio.low()).isLessThan(1.3);
        assertThat(ratio.high()).isGreaterThan(1.3);
        assertThat(other.values().kolmogorovSmirnov()).isLessThan(1e-6);
        assertThat(other.values().mannWhitney()).isLessThan(1e-6);
    }

    @Test
    void computesLinesOfLeastSquares() {
        Regression line = Regression.of(new double[] {1, 2, 3}, new double[] {2, 4, 7});
        assertThat(line.slope()).isCloseTo(31 / 14.0, within(1e-12));
        assertThat(line.rSquared()).isCloseTo(1 - (69 - 31 * 31 / 14.0) / 69, within(1e-12));
        assertThat(line.freeSlope()).isCloseTo(2.5, within(1e-12));
        assertThat(line.intercept()).isCloseTo(-2 / 3.0, within(1e-12));
        assertThat(line.freeRSquared()).isCloseTo(25 / (2 * 114 / 9.0), within(1e-12));
    }

    @Test
    void pairsValuesNearestInTime() {
        TimedSeries a = series("a", 0, 12, 1, 2, 3, Double.NaN, 5);
        // exactly between the values of the first series
        Pairs between = Pairs.of(a, series("b", 6, 12, 10, 20, 30, 40));
        assertThat(between.first()).containsExactly(1, 2, 4);
        assertThat(between.second()).containsExactly(0, 1, 3);
        Pairs near = Pairs.of(a, series("b", 1, 24, 10, 20, 30));
        assertThat(near.first()).containsExactly(0, 2, 4);
        assertThat(near.second()).containsExactly(0, 1, 2);
        assertThat(Pairs.of(a, series("b", 0, 0, 7, 8)).first()).hasSize(1);
    }

    @Test
    void excludesOutliers() {
        double[] a = {10, 10, 10, 1000, 10};
        double[] b = {20, 20, 20, 10, 0};
        Equivalence outliers = compare(a, b);
        // the first value of c has no pair: each value of java is equally near to the next one of c
        assertThat(outliers.regression().pairs()).isEqualTo(4);
        assertThat(outliers.outliers()).isEqualTo(0);
        outliers = Equivalence.of(series("c", 0, 1, a), series("java", 0, 1, b), Selection.PAPER);
        assertThat(outliers.regression().pairs()).isEqualTo(5);
        assertThat(outliers.outliers()).isEqualTo(2);
        assertThat(outliers.regressionWithoutOutliers().pairs()).isEqualTo(3);
        assertThat(outliers.regressionWithoutOutliers().slope()).isCloseTo(2, within(1e-12));
        assertThat(outliers.meanRatio()).isNotNull().satisfies(ratio -> assertThat(ratio.ratio())
                .isCloseTo(70 / 1040.0, within(1e-12)));
    }

    @Test
    void countsValuesWithinForecastIntervals() {
        // the intervals of the first series: none, none, then 10 ± 0
        double[] constant = DoubleStream.generate(() -> 10).limit(10).toArray();
        double[] other = {99, 99, 10, 11, 10, 10, 10, 10, 10, 10};
        Equivalence captured = Equivalence.of(series("a", 0, 1, constant), series("b", 0, 1, other), Selection.PAPER);
        assertThat(captured.mseIntervals().first().own()).isEqualTo(1);
        assertThat(captured.mseIntervals().first().other()).isEqualTo(7 / 8.0);
        assertThat(captured.first().mean()).isEqualTo(10);
        assertThat(captured.first().variance()).isZero();
        assertThat(captured.first().mse()).isZero();
    }

    @Test
    void countsErrorsInCommonBins() {
        ErrorHistogram histogram = ErrorHistogram.of(new double[] {-1, 0, 1}, new double[] {99, 98.5, 0});
        assertThat(histogram.from()).isEqualTo(-1);
        assertThat(histogram.width()).isEqualTo(1);
        assertThat(histogram.first()).hasSize(100).startsWith(1L, 1L, 1L, 0L);
        assertThat(histogram.second()).hasSize(100).startsWith(0L, 1L).endsWith(2L);
        assertThat(ErrorHistogram.of(new double[] {3}, new double[] {3}).first())
                .startsWith(1L);
    }

    @Test
    void samplesTheDistributionOfErrors() {
        double[] errors = IntStream.rangeClosed(-5000, 5000).mapToDouble(i -> i).toArray();
        ErrorCurve curve = ErrorCurve.of(errors);
        assertThat(curve.errors()).hasSize(400).startsWith(-5000.0).endsWith(5000.0);
        assertThat(curve.fractions()).endsWith(1.0);
        assertThat(curve.upToZero()).isCloseTo(5001 / 10001.0, within(1e-12));
        assertThat(ErrorCurve.of(new double[] {2, 1}).fractions()).containsExactly(0.5, 1.0);
    }

    @Test
    void testsWhetherSamplesDiffer() {
        double[] x = {1, 2, 3, 4, 5};
        TwoSampleTest test =
                TwoSampleTest.of(x, Arrays.stream(x).map(i -> i + 2).toArray());
        assertThat(test.greatestDifference()).isCloseTo(0.4, within(1e-12));
        assertThat(TwoSampleTest.of(x, new double[1]).mannWhitney()).isNaN();
    }
}
