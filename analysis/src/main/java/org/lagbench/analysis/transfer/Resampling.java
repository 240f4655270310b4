package org.lagbench.analysis.transfer;

import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.lagbench.analysis.statistics.MeanInterval;
import org.lagbench.core.text.Units;

/**
 * A value with a 95 % interval by resampling.
 *
 * @param low lower end of the interval; NaN if there are too few observations
 * @param high upper end of the interval; NaN if there are too few observations
 */
public record Resampling(double value, double low, double high) {
    private static final int RESAMPLES = 1_999;
    private static final int SEED = 22;
    private static final double TAIL = (1 - MeanInterval.CONFIDENCE) / 2;

    /**
     * Makes the interval of a percentile bootstrap: {@value #RESAMPLES} resamples, seeded by {@value #SEED}. Resamples
     * whose value is not finite are left out.
     *
     * @param resample computes the value of a random resample
     */
    static Resampling of(double value, ToDoubleFunction<RandomGenerator> resample) {
        return of(value, TAIL, resample);
    }

    private static Resampling of(double value, double tail, ToDoubleFunction<RandomGenerator> resample) {
        RandomGenerator random = new Well19937c(SEED);
        Percentile percentile = new Percentile().withEstimationType(EstimationType.R_7);
        percentile.setData(DoubleStream.generate(() -> resample.applyAsDouble(random))
                .limit(RESAMPLES)
                .filter(Double::isFinite)
                .toArray());
        return new Resampling(
                value, percentile.evaluate(Units.PERCENT * tail), percentile.evaluate(Units.PERCENT * (1 - tail)));
    }

    /**
     * Makes the interval of a bootstrap within strata, each of which keeps its size. The percentiles are expanded as
     * those of {@link MeanInterval}, by the smallest stratum of at least two observations. There is no interval without
     * such a stratum.
     *
     * @param strata the observations of each stratum
     * @param statistic computes the value from the drawn observations of each stratum
     */
    static <T> Resampling ofStrata(List<List<T>> strata, ToDoubleFunction<List<List<T>>> statistic) {
        double value = statistic.applyAsDouble(strata);
        IntSummaryStatistics sizes =
                strata.stream().mapToInt(List::size).filter(size -> size > 1).summaryStatistics();
        return sizes.getCount() == 0
                ? new Resampling(value, Double.NaN, Double.NaN)
                : of(
                        value,
                        MeanInterval.tail(sizes.getMin(), (int) (sizes.getSum() - sizes.getCount())),
                        random -> statistic.applyAsDouble(strata.stream()
                                .map(stratum -> draw(stratum, random))
                                .toList()));
    }

    /** Draws as many observations as there are, with replacement. */
    static <T> List<T> draw(List<T> observations, RandomGenerator random) {
        return observations.stream()
                .map(observation -> observations.get(random.nextInt(observations.size())))
                .toList();
    }

    /**
     * Returns the mean over points of the mean over the runs of a point. The interval is that of {@link MeanInterval}
     * with one value for each point, because the runs of a point have errors in common.
     */
    public static <R> Resampling ofPoints(List<List<R>> points, ToDoubleFunction<R> value) {
        MeanInterval mean = MeanInterval.of(points.stream()
                .mapToDouble(runs -> runs.stream().mapToDouble(value).average().orElseThrow())
                .toArray());
        return new Resampling(mean.mean(), mean.low(), mean.high());
    }

    /** Returns this with a lower end of at least 0, for a value that is never negative. */
    public Resampling ofPositive() {
        return new Resampling(value, Math.max(0, low), high);
    }
}
