package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.statistics.SeriesStatistics.TrimmedStatistics;
import org.lagbench.core.failure.LagbenchException;

/** Compares the statistics, which do not keep the values, with those of sorted values. */
class SeriesStatisticsTest {
    private static final double RELATIVE = 1e-9;

    private final Random random = new Random(7);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 19, 20, 21, 99, 100, 101, 1_000, 20_001})
    void agreesWithSortingAndCommonsMath(int n) throws LagbenchException {
        agree(n, i -> 40_000 + random.nextInt(1_000_000));
        agree(n, i -> random.nextInt(5));
        agree(n, i -> -1_000_000 + random.nextInt(1_500_000));
        agree(n, i -> (long) (random.nextGaussian() * 1e12));
        agree(n, i -> random.nextInt(100) == 0 ? 3_600_000_000_000L : 90_000 + random.nextInt(3));
        agree(n, i -> 125_000);
    }

    @Test
    void selectsExtremeValuesExactly() throws LagbenchException {
        long[] values = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1, Long.MAX_VALUE - 1, Long.MIN_VALUE + 1};
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        long[] selected = OrderStatistics.of(consumer -> LongStream.of(values).forEach(consumer))
                .at(6, 0, 3, 5, 1, 2, 4);
        assertThat(selected)
                .containsExactly(sorted[6], sorted[0], sorted[3], sorted[5], sorted[1], sorted[2], sorted[4]);
    }

    @Test
    void keepsAValueThatEqualsTheQuantile() throws LagbenchException {
        // 0 … n − 1: the 95 % quantile is (n − 1)·0.95, on a value for each n − 1 that 20 divides
        for (int n = 21; n < 20_000; n += 20) {
            int last = n - 1;
            SeriesStatistics statistics = SeriesStatistics.of(
                    consumer -> LongStream.rangeClosed(0, last).forEach(consumer));
            assertThat(statistics.withoutQ95().quantileNs()).isEqualTo(last / 20 * 19);
            assertThat(statistics.withoutQ95().dropped()).isEqualTo(last / 20);
        }
    }

    @Test
    void leavesStatisticsOfNoValueUndefined() throws LagbenchException {
        SeriesStatistics nothing = SeriesStatistics.of(consumer -> {});
        assertThat(nothing.n()).isZero();
        assertThat(nothing.medianNs()).isNaN();
        assertThat(nothing.meanNs()).isNaN();
        assertThat(nothing.standardDeviationNs()).isNaN();
        assertThat(nothing.maximumNs()).isNaN();
        assertThat(nothing.withoutQ99().quantileNs()).isNaN();
        assertThat(nothing.withoutQ99().dropped()).isZero();
    }

    @Test
    void leavesStandardDeviationOfOneValueUndefined() throws LagbenchException {
        SeriesStatistics one = SeriesStatistics.of(consumer -> consumer.accept(42));
        assertThat(one.medianNs()).isEqualTo(42);
        assertThat(one.withoutQ95().quantileNs()).isEqualTo(42);
        assertThat(one.withoutQ95().dropped()).isZero();
        assertThat(one.standardDeviationNs()).isNaN();
    }

    private static void agree(int n, IntToLongFunction value) throws LagbenchException {
        long[] values = new long[n];
        Arrays.setAll(values, value);
        double[] doubles = Arrays.stream(values).asDoubleStream().toArray();
        SeriesStatistics statistics =
                SeriesStatistics.of(consumer -> LongStream.of(values).forEach(consumer));
        assertThat(statistics.n()).isEqualTo(n);
        close(statistics.medianNs(), quantile(doubles, 50));
        close(statistics.meanNs(), StatUtils.mean(doubles));
        assertThat(statistics.minimumNs()).isEqualTo(StatUtils.min(doubles));
        assertThat(statistics.maximumNs()).isEqualTo(StatUtils.max(doubles));
        if (n > 1) {
            close(statistics.standardDeviationNs(), Math.sqrt(StatUtils.variance(doubles)));
        }
        agree(statistics.withoutQ95(), doubles, 95);
        agree(statistics.withoutQ99(), doubles, 99);
    }

    private static void agree(TrimmedStatistics trimmed, double[] values, int percent) {
        double quantile = quantile(values, percent);
        // the expected quantile may differ from an equal value by rounding
        double[] kept = Arrays.stream(values)
                .filter(value -> value <= quantile + Math.abs(quantile) * 1e-13)
                .toArray();
        close(trimmed.quantileNs(), quantile);
        close(trimmed.meanNs(), StatUtils.mean(kept));
        assertThat(trimmed.dropped()).isEqualTo(values.length - kept.length);
        if (kept.length > 1) {
            close(trimmed.standardDeviationNs(), Math.sqrt(StatUtils.variance(kept)));
        }
    }

    private static double quantile(double[] values, int percent) {
        return new Percentile().withEstimationType(EstimationType.R_7).evaluate(values, percent);
    }

    private static void close(double actual, double expected) {
        assertThat(actual).isCloseTo(expected, within(Math.abs(expected) * RELATIVE + 1e-6));
    }
}
