package org.lagbench.analysis.comparison;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/**
 * The geometric mean of positive values, one for each repeat, with a 95 % interval. The values are those of one point,
 * or the ratios of two. A repeat is the unit, because the packets of a run are correlated.
 *
 * <p>From {@value #FEWEST} repeats on, the interval is a bootstrap over the repeats: {@value #RESAMPLES} resamples of
 * the logarithms, seeded by {@value #SEED}. The percentiles are expanded for few repeats as by Hesterberg ("What
 * Teachers Should Know About the Bootstrap", The American Statistician 69(4), 2015), because plain ones are too narrow
 * by √((n − 1)/n) and by the difference of Student's t from the normal distribution:
 *
 * <pre>
 *   α'/2 = Φ(−√(n/(n − 1)) · t(n − 1, .975))
 * </pre>
 *
 * <p>Fewer repeats have too few different resamples. Their interval is Student's t of the logarithms.
 *
 * @param repeats number of values
 * @param mean the geometric mean; NaN without values
 * @param low lower end of the interval; NaN if there are fewer than two values
 * @param high upper end of the interval; NaN if there are fewer than two values
 * @param logMean mean of the logarithms
 * @param logError standard error of the mean of the logarithms; NaN if there are fewer than two values
 */
public record GeometricMean(int repeats, double mean, double low, double high, double logMean, double logError) {
    /** The least number of repeats whose interval is a bootstrap. */
    public static final int FEWEST = 5;

    /** Number of resamples. */
    public static final int RESAMPLES = 9_999;

    /** Seed of the resamples. */
    public static final int SEED = 7679;

    /** Confidence of the interval. */
    public static final double CONFIDENCE = .95;

    private static final double UPPER = (1 + CONFIDENCE) / 2;
    private static final double PERCENT = 100;

    static GeometricMean of(double[] values) {
        double[] logs = Arrays.stream(values).map(Math::log).toArray();
        int n = logs.length;
        double mean = n == 0 ? Double.NaN : StatUtils.mean(logs);
        if (n < 2) {
            return new GeometricMean(n, Math.exp(mean), Double.NaN, Double.NaN, mean, Double.NaN);
        }
        double error = Math.sqrt(StatUtils.variance(logs) / n);
        double t = new TDistribution(null, n - 1.0).inverseCumulativeProbability(UPPER);
        double low = mean - t * error;
        double high = mean + t * error;
        if (n >= FEWEST) {
            double tail = new NormalDistribution(null, 0, 1).cumulativeProbability(-Math.sqrt(n / (n - 1.0)) * t);
            Percentile means = new Percentile().withEstimationType(EstimationType.R_7);
            means.setData(resampledMeans(logs));
            low = means.evaluate(PERCENT * tail);
            high = means.evaluate(PERCENT * (1 - tail));
        }
        return new GeometricMean(n, Math.exp(mean), Math.exp(low), Math.exp(high), mean, error);
    }

    private static double[] resampledMeans(double[] logs) {
        RandomGenerator random = new Well19937c(SEED);
        double[] means = new double[RESAMPLES];
        for (int resample = 0; resample < RESAMPLES; resample++) {
            double sum = 0;
            for (int i = 0; i < logs.length; i++) {
                sum += logs[random.nextInt(logs.length)];
            }
            means[resample] = sum / logs.length;
        }
        return means;
    }

    public boolean hasInterval() {
        return repeats >= 2;
    }

    /** Returns whether the interval is a bootstrap. */
    public boolean isBootstrap() {
        return repeats >= FEWEST;
    }

    /**
     * Returns the p-value of the hypothesis that the ratio is outside of the margin: the greater one of two one-sided t
     * tests of the logarithms (Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
     * J. Pharmacokinetics and Biopharmaceutics 15, 1987).
     *
     * @param margin ratios from 1/(1 + margin) to 1 + margin are within
     * @param doubt by how much the logarithm may be off for other reasons than the differences of the repeats
     * @return NaN if there are fewer than two values
     */
    double nonEquivalence(double margin, double doubt) {
        if (repeats < 2) {
            return Double.NaN;
        }
        double inside = Math.log1p(margin) - doubt - Math.abs(logMean);
        if (logError == 0) {
            return inside > 0 ? 0 : 1;
        }
        return inside == Double.NEGATIVE_INFINITY
                ? 1
                : new TDistribution(null, repeats - 1.0).cumulativeProbability(-inside / logError);
    }
}
