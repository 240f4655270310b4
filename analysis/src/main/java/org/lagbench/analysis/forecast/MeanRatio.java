package org.lagbench.analysis.forecast;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.correlation.Covariance;
import org.apache.commons.math3.stat.descriptive.moment.Skewness;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.CorrelationTime;

/**
 * The ratio of the second series' mean to the first's, with a 95 % interval. Neighboring values are correlated, so the
 * pairs are cut into blocks in the order of time (batch means). The interval is that of Fieller (Some problems in
 * interval estimation, 1954) for the means of the blocks. The means are equivalent if the whole interval is within ±
 * {@value #BOUND_PERCENT} %: two one-sided tests at 2.5 % (Schuirmann 1987).
 *
 * <p>The length of a block follows from the {@link CorrelationTime} of y − ratio · x. There is no interval
 *
 * <ul>
 *   <li>with fewer than {@value #MIN_PAIRS} pairs, in which something that happens in 1 % of them may be absent,
 *   <li>with fewer than {@value CorrelationTime#MIN_BLOCKS} blocks,
 *   <li>with fewer blocks than 25 times their squared skewness: their mean is not nearly normal (Cochran 1977),
 *   <li>with fewer independent values than {@value #TAIL_FACTOR} times the squared skewness that their tail lets
 *       expect.
 * </ul>
 *
 * @param ratio the mean of the second series divided by that of the first
 * @param low lower end of the interval; NaN with too few pairs
 * @param high upper end of the interval; NaN with too few pairs
 * @param pairs number of pairs
 * @param needed about how many pairs an interval needs
 */
public record MeanRatio(double ratio, double low, double high, long pairs, long needed) {
    /** The largest difference that is equivalent, in percent. */
    public static final int BOUND_PERCENT = 5;

    private static final int MIN_PAIRS = 500;
    private static final int MAX_BLOCKS = 200;
    private static final int MAX_CELLS = 2048;
    private static final double SKEWNESS_FACTOR = 25;

    /**
     * With this factor, the interval covers 93 % or more, also for lognormal values, whenever half of the draws or more
     * have an interval.
     */
    private static final double TAIL_FACTOR = 15;

    private static final double QUANTILE = .975;

    /** Returns the ratio of pairs in the order of time; null if there is none, or a mean is not positive. */
    public static @Nullable MeanRatio of(double[] x, double[] y) {
        int n = x.length;
        double meanX = Arrays.stream(x).average().orElse(0);
        double meanY = Arrays.stream(y).average().orElse(0);
        if (!(meanX > 0 && meanY > 0)) {
            return null;
        }
        double ratio = meanY / meanX;
        double[] differences = new double[n];
        Arrays.setAll(differences, i -> y[i] - ratio * x[i]);
        int cells = Math.min(n, MAX_CELLS);
        double[] means = means(differences, cells);
        CorrelationTime time = CorrelationTime.of(means);
        int blocks = Math.min(MAX_BLOCKS, cells / time.block());
        long needed = Math.max(MIN_PAIRS, Math.round((double) CorrelationTime.MIN_BLOCKS * time.block() * n / cells));
        if (n >= MIN_PAIRS && blocks >= CorrelationTime.MIN_BLOCKS) {
            double skewness = new Skewness().evaluate(means(differences, blocks));
            needed = Math.max(needed, Math.round(SKEWNESS_FACTOR * skewness * skewness / blocks * n));
            double ofTail = TailSkewness.of(means);
            needed = Math.max(needed, Math.round(TAIL_FACTOR * ofTail * ofTail * time.values() / cells * n));
        }
        if (n < needed) {
            return new MeanRatio(ratio, Double.NaN, Double.NaN, n, needed);
        }
        double reach = new TDistribution(null, blocks - 1.0).inverseCumulativeProbability(QUANTILE);
        double share = reach * reach / (blocks * time.shownBy((double) cells / blocks));
        double[] ofX = means(x, blocks);
        double[] ofY = means(y, blocks);
        double a = meanX * meanX - share * covariance(ofX, ofX);
        double b = meanX * meanY - share * covariance(ofX, ofY);
        double c = meanY * meanY - share * covariance(ofY, ofY);
        double root = Math.sqrt(Math.max(0, b * b - a * c));
        return a > 0 && c > 0
                ? new MeanRatio(ratio, (b - root) / a, (b + root) / a, n, needed)
                : new MeanRatio(ratio, Double.NaN, Double.NaN, n, 2L * n);
    }

    private static double covariance(double[] a, double[] b) {
        return new Covariance().covariance(a, b);
    }

    /** Returns the means of consecutive values, in blocks whose lengths differ by at most one. */
    private static double[] means(double[] values, int blocks) {
        double[] means = new double[blocks];
        for (int block = 0; block < blocks; block++) {
            int from = (int) ((long) block * values.length / blocks);
            int to = (int) ((block + 1L) * values.length / blocks);
            means[block] = Arrays.stream(values, from, to).average().orElseThrow();
        }
        return means;
    }

    /** Returns whether there were enough pairs for an interval. */
    public boolean hasEnds() {
        return !Double.isNaN(low);
    }

    /** Returns whether the whole interval is within the bounds. */
    public boolean isEquivalent() {
        double bound = 1 + BOUND_PERCENT / 100.0;
        return low >= 1 / bound && high <= bound;
    }
}
