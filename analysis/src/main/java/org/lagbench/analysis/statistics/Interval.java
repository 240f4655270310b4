package org.lagbench.analysis.statistics;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.lagbench.core.text.Units;

/**
 * An estimate with its 95 % confidence interval.
 *
 * @param value the estimate; NaN without observations
 * @param low lower end of the interval; NaN if there are too few observations
 * @param high upper end of the interval; NaN if there are too few observations
 */
public record Interval(double value, double low, double high) {
    /** Confidence of the interval. */
    public static final double CONFIDENCE = .95;

    private static final double TAIL = (1 - CONFIDENCE) / 2;
    private static final int RESAMPLES = 1_999;
    private static final int SEED = 22;

    /** Returns the mean of independent values. The interval is Student's t, which needs two values. */
    public static Interval ofMean(double... values) {
        int n = values.length;
        double mean = n == 0 ? Double.NaN : StatUtils.mean(values);
        double half = n < 2 ? Double.NaN : student(n - 1) * Math.sqrt(StatUtils.variance(values) / n);
        return new Interval(mean, mean - half, mean + half);
    }

    /** Returns the geometric mean of positive values. The interval is that of the mean of their logarithms. */
    public static Interval ofGeometricMean(double... values) {
        Interval logs = ofMean(Arrays.stream(values).map(Math::log).toArray());
        return new Interval(Math.exp(logs.value), Math.exp(logs.low), Math.exp(logs.high));
    }

    /**
     * Returns a value with the interval of a percentile bootstrap: {@value #RESAMPLES} resamples, seeded by
     * {@value #SEED}. Resamples whose value is not finite are left out.
     *
     * @param resample computes the value of a random resample
     */
    public static Interval ofResamples(double value, ToDoubleFunction<RandomGenerator> resample) {
        return ofResamples(value, TAIL, resample);
    }

    private static Interval ofResamples(double value, double tail, ToDoubleFunction<RandomGenerator> resample) {
        RandomGenerator random = new Well19937c(SEED);
        Percentile percentile = new Percentile().withEstimationType(EstimationType.R_7);
        percentile.setData(DoubleStream.generate(() -> resample.applyAsDouble(random))
                .limit(RESAMPLES)
                .filter(Double::isFinite)
                .toArray());
        return new Interval(
                value, percentile.evaluate(Units.PERCENT * tail), percentile.evaluate(Units.PERCENT * (1 - tail)));
    }

    /**
     * Returns a value with the interval of a bootstrap within strata, each of which keeps its size. There is no
     * interval without a stratum of two observations.
     *
     * <p>The percentiles are expanded for few observations as by Hesterberg ("What Teachers Should Know About the
     * Bootstrap", The American Statistician 69(4), 2015), because plain ones are too narrow by √((n − 1)/n) and by the
     * difference of Student's t from the normal distribution. With n observations in the smallest stratum of two or
     * more, and ν the observations minus the strata, both of these strata:
     *
     * <pre>
     *   α'/2 = Φ(−√(n/(n − 1)) · t(ν, .975))
     * </pre>
     *
     * @param strata the observations of each stratum
     * @param statistic computes the value from the drawn observations of each stratum
     */
    public static <T> Interval ofStrata(List<List<T>> strata, ToDoubleFunction<List<List<T>>> statistic) {
        double value = statistic.applyAsDouble(strata);
        IntSummaryStatistics sizes =
                strata.stream().mapToInt(List::size).filter(size -> size > 1).summaryStatistics();
        if (sizes.getCount() == 0) {
            return new Interval(value, Double.NaN, Double.NaN);
        }
        double expansion = Math.sqrt((double) sizes.getMin() / (sizes.getMin() - 1));
        double tail = new NormalDistribution(null, 0, 1)
                .cumulativeProbability(-expansion * student((int) (sizes.getSum() - sizes.getCount())));
        return ofResamples(
                value,
                tail,
                random -> statistic.applyAsDouble(
                        strata.stream().map(stratum -> draw(stratum, random)).toList()));
    }

    /** Draws as many observations as there are, with replacement. */
    public static <T> List<T> draw(List<T> observations, RandomGenerator random) {
        return observations.stream()
                .map(observation -> observations.get(random.nextInt(observations.size())))
                .toList();
    }

    /**
     * Returns whether the values prove that their mean is above a limit: Student's t, one-sided. Values that are all
     * equal prove it if they are above it.
     *
     * @param values two or more
     * @param level the probability of this result if the mean is the limit
     */
    public static boolean isAbove(double[] values, double limit, double level) {
        double beyond = StatUtils.mean(values) - limit;
        double error = Math.sqrt(StatUtils.variance(values) / values.length);
        return beyond > 0
                && (error == 0
                        || new TDistribution(null, values.length - 1.0).cumulativeProbability(-beyond / error)
                                <= level);
    }

    private static double student(int degrees) {
        return new TDistribution(null, degrees).inverseCumulativeProbability(1 - TAIL);
    }

    /** Returns whether there were enough observations for an interval. */
    public boolean hasEnds() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    /** Returns this with a lower end of at least 0, for a value that is never negative. */
    public Interval ofPositive() {
        return new Interval(value, Math.max(0, low), high);
    }
}
