package org.lagbench.analysis.statistics;

import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.lagbench.core.text.Units;

/**
 * The mean of independent values with a 95 % interval.
 *
 * <p>From {@value #FEWEST} values on, the interval is a bootstrap: {@value #RESAMPLES} resamples, seeded by
 * {@value #SEED}. The percentiles are expanded for few values as by Hesterberg ("What Teachers Should Know About the
 * Bootstrap", The American Statistician 69(4), 2015), because plain ones are too narrow by √((n − 1)/n) and by the
 * difference of Student's t from the normal distribution:
 *
 * <pre>
 *   α'/2 = Φ(−√(n/(n − 1)) · t(n − 1, .975))
 * </pre>
 *
 * <p>Fewer values have too few different resamples. Their interval is Student's t.
 *
 * @param mean the mean; NaN without values
 * @param low lower end of the interval; NaN if there are fewer than two values
 * @param high upper end of the interval; NaN if there are fewer than two values
 * @param error standard error of the mean; NaN if there are fewer than two values
 */
public record MeanInterval(double mean, double low, double high, double error) {
    /** The least number of values whose interval is a bootstrap. */
    public static final int FEWEST = 5;

    /** Number of resamples. */
    public static final int RESAMPLES = 9_999;

    /** Seed of the resamples. */
    public static final int SEED = 7679;

    /** Confidence of the interval. */
    public static final double CONFIDENCE = .95;

    private static final double UPPER = (1 + CONFIDENCE) / 2;

    /** Computes the mean and its interval. */
    public static MeanInterval of(double[] values) {
        int n = values.length;
        double mean = n == 0 ? Double.NaN : StatUtils.mean(values);
        if (n < 2) {
            return new MeanInterval(mean, Double.NaN, Double.NaN, Double.NaN);
        }
        double error = Math.sqrt(StatUtils.variance(values) / n);
        if (n < FEWEST) {
            double half = t(n - 1) * error;
            return new MeanInterval(mean, mean - half, mean + half, error);
        }
        double tail = tail(n, n - 1);
        Percentile means = new Percentile().withEstimationType(EstimationType.R_7);
        means.setData(resampledMeans(values));
        return new MeanInterval(
                mean, means.evaluate(Units.PERCENT * tail), means.evaluate(Units.PERCENT * (1 - tail)), error);
    }

    private static double t(int degrees) {
        return new TDistribution(null, degrees).inverseCumulativeProbability(UPPER);
    }

    /**
     * Returns the part of the resamples beyond each end of the interval, α'/2.
     *
     * @param n number of values from which a resample is drawn
     * @param degrees degrees of freedom of Student's t
     */
    public static double tail(int n, int degrees) {
        return new NormalDistribution(null, 0, 1).cumulativeProbability(-Math.sqrt((double) n / (n - 1)) * t(degrees));
    }

    private static double[] resampledMeans(double[] values) {
        RandomGenerator random = new Well19937c(SEED);
        double[] means = new double[RESAMPLES];
        for (int resample = 0; resample < RESAMPLES; resample++) {
            double sum = 0;
            for (int i = 0; i < values.length; i++) {
                sum += values[random.nextInt(values.length)];
            }
            means[resample] = sum / values.length;
        }
        return means;
    }
}
