package org.lagbench.analysis.statistics;

import java.util.Arrays;
import java.util.Collection;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.distribution.BetaDistribution;
import org.apache.commons.math3.distribution.BinomialDistribution;
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

    /** The minimum number of values whose median has an interval. */
    public static final int MIN_OF_MEDIAN = 5;

    private static final double TAIL = (1 - CONFIDENCE) / 2;
    /** The error probability at either end of the interval of a share. */
    static final double SHARE_TAIL = .025;
    /** One of so many values is trimmed at either end. */
    private static final int TRIMMED_OF = 5;

    private static final int RESAMPLES = 1_999;
    private static final int SEED = 22;

    /** Returns the mean of independent values. The interval is Student's t, which needs two values. */
    public static Interval ofMean(double... values) {
        int n = values.length;
        double mean = n == 0 ? Double.NaN : StatUtils.mean(values);
        double half = n < 2 ? Double.NaN : student(n - 1) * Math.sqrt(StatUtils.variance(values) / n);
        return new Interval(mean, mean - half, mean + half);
    }

    /**
     * Returns the median of independent positive values, as {@link #ofSignedMedian} of their logarithms: of an even
     * number, it is the geometric mean of the middle two.
     */
    public static Interval ofMedian(double... values) {
        Interval ofLogs = ofSignedMedian(Arrays.stream(values).map(Math::log).toArray());
        return new Interval(Math.exp(ofLogs.value), Math.exp(ofLogs.low), Math.exp(ofLogs.high));
    }

    /**
     * Returns the median of independent values, which may be negative or 0. The interval needs {@value #MIN_OF_MEDIAN}
     * values, and nothing else is assumed of their distribution: it is interpolated between the order statistics whose
     * confidence is next to 95 % (Hettmansperger and Sheather, "Confidence intervals based on interpolated order
     * statistics", 1986). Five values have their whole range, with 93.75 %.
     */
    public static Interval ofSignedMedian(double... values) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int n = sorted.length;
        double median = Quantile.median(sorted);
        if (n < MIN_OF_MEDIAN) {
            return new Interval(median, Double.NaN, Double.NaN);
        }
        int k = medianRank(n) + 1;
        double outer = confidence(n, k);
        double part = Math.max(0, (outer - CONFIDENCE) / (outer - confidence(n, k + 1)));
        double inward = (n - k) * part / (k + (n - 2 * k) * part);
        return new Interval(
                median,
                sorted[k - 1] + inward * (sorted[k] - sorted[k - 1]),
                sorted[n - k] - inward * (sorted[n - k] - sorted[n - k - 1]));
    }

    /** Returns the same as {@link #ofMedian(double...)}. */
    public static Interval ofMedian(Collection<Double> values) {
        return ofMedian(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /**
     * Returns the median of independent values, with its interval by order statistics: from the k-th smallest of n
     * values to the k-th largest. It contains the median of their distribution with a confidence of
     *
     * <pre>
     *   1 − 2·P(binomial(n, ½) &lt; k)   (David and Nagaraja, Order Statistics, 2003, section 7.1)
     * </pre>
     *
     * <p>k is the largest number with a confidence of at least 95 %. Fewer than 6 values have none, and no interval.
     * Nothing is assumed of their distribution, and they may be zero.
     */
    public static Interval ofRanks(double... values) {
        return ofRanks(values, CONFIDENCE);
    }

    /** Returns the same with another confidence than 95 %, which may need more values. */
    public static Interval ofRanks(double[] values, double confidence) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int n = sorted.length;
        double median = Quantile.median(sorted);
        int rank = medianRank(n, confidence);
        return n == 0 || confidence(n, rank + 1) < confidence
                ? new Interval(median, Double.NaN, Double.NaN)
                : new Interval(median, sorted[rank], sorted[n - 1 - rank]);
    }

    /**
     * Returns the index of the lower end of {@link #ofRanks} among n sorted values, k − 1; that of the upper end is n −
     * k. Of fewer than 6 values, it is 0: their whole range, with less confidence.
     */
    public static int medianRank(int n) {
        return medianRank(n, CONFIDENCE);
    }

    private static int medianRank(int n, double confidence) {
        return (int) Bisection.first(1, n, k -> confidence(n, (int) k + 1) < confidence) - 1;
    }

    /** Returns the confidence of the interval of the median from the value at {@link #medianRank}, from 0. */
    public static double medianConfidence(int n) {
        return confidence(n, medianRank(n) + 1);
    }

    private static double confidence(int n, int k) {
        return 1 - 2 * new BinomialDistribution(null, n, 0.5).cumulativeProbability(k - 1);
    }

    /**
     * Returns a count as a share of a whole, by independent events (Clopper and Pearson 1934). Of an empty whole, the
     * value is NaN, and the interval contains every share.
     */
    public static Interval ofShare(long count, long whole) {
        return ofShare((double) count / (double) whole, (double) whole, SHARE_TAIL);
    }

    /** Returns a share with that interval of so many independent events, which need not be a whole number. */
    static Interval ofShare(double share, double whole, double tail) {
        double events = share * whole;
        return new Interval(
                share,
                events > 0 ? betaQuantile(tail, events, whole - events + 1) : 0,
                events < whole ? betaQuantile(1 - tail, events + 1, whole - events) : 1);
    }

    /** Returns a quantile of a beta distribution. Small ones need a smaller absolute error than the library's own. */
    private static double betaQuantile(double part, double alpha, double beta) {
        double error = Math.min(
                BetaDistribution.DEFAULT_INVERSE_ABSOLUTE_ACCURACY, 1e-6 * Math.min(alpha, beta) / (alpha + beta));
        return new BetaDistribution(null, alpha, beta, error).inverseCumulativeProbability(part);
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
     * Returns whether values prove that the center of their distribution is above a limit: Student's t of the mean
     * without the smallest and the largest fifth of the values (Tukey and McLaughlin 1963), one-sided, so that outliers
     * do not hide what the other values prove. Fewer than five are not trimmed. Values that are all equal prove it if
     * they are above it.
     *
     * @param values two or more
     * @param level the probability of this result if the center is the limit
     */
    public static boolean isAbove(double[] values, double limit, double level) {
        return isAbove(values, limit, level, values.length / TRIMMED_OF);
    }

    /** Like {@link #isAbove}, for the mean of all values, which includes rare large values such as bursts of losses. */
    public static boolean isMeanAbove(double[] values, double limit, double level) {
        return isAbove(values, limit, level, 0);
    }

    private static boolean isAbove(double[] values, double limit, double level, int cut) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int n = sorted.length;
        int kept = n - 2 * cut;
        double beyond = StatUtils.mean(sorted, cut, kept) - limit;
        Arrays.fill(sorted, 0, cut, sorted[cut]);
        Arrays.fill(sorted, n - cut, n, sorted[n - cut - 1]);
        double error = Math.sqrt(StatUtils.variance(sorted) * (n - 1) / (kept * (kept - 1.0)));
        return beyond > 0
                && (error == 0 || new TDistribution(null, kept - 1.0).cumulativeProbability(-beyond / error) <= level);
    }

    private static double student(int degrees) {
        return new TDistribution(null, degrees).inverseCumulativeProbability(1 - TAIL);
    }

    /** Returns whether there were enough observations for an interval. */
    public boolean hasEnds() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    /** Returns this in another unit. */
    public Interval times(double factor) {
        return new Interval(value * factor, low * factor, high * factor);
    }

    /** Returns the value alone, as of too few observations. */
    public Interval withoutEnds() {
        return new Interval(value, Double.NaN, Double.NaN);
    }

    /** Returns another value with this interval, widened to contain it. */
    public Interval around(double other) {
        return hasEnds()
                ? new Interval(other, Math.min(low, other), Math.max(high, other))
                : new Interval(other, Double.NaN, Double.NaN);
    }

    /** Returns this with a lower end of at least 0, for a value that is never negative. */
    public Interval ofPositive() {
        return new Interval(value, Math.max(0, low), high);
    }
}
