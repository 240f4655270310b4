package org.lagbench.analysis.forecast;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of the second series' mean to the first's, with a 95 % interval. The pairs are cut into {@value #BLOCKS}
 * blocks in the order of time, because neighboring values are correlated; the interval is Student's of the logarithms
 * of the blocks' ratios (batch means). The means are equivalent if the whole interval is within ±
 * {@value #BOUND_PERCENT} %: two one-sided tests at 2.5 % (Schuirmann 1987).
 *
 * @param ratio geometric mean of the blocks' ratios
 * @param low lower end of the interval
 * @param high upper end of the interval
 */
public record MeanRatio(double ratio, double low, double high) {
    /** Number of blocks. */
    public static final int BLOCKS = 20;

    /** The greatest difference that is equivalent, in percent. */
    public static final int BOUND_PERCENT = 5;

    private static final double QUANTILE = .975;

    /** Returns the ratio; null if there are too few pairs or a block's mean is not positive. */
    static @Nullable MeanRatio of(double[] x, double[] y) {
        if (x.length < 2 * BLOCKS) {
            return null;
        }
        SummaryStatistics logs = new SummaryStatistics();
        for (int block = 0; block < BLOCKS; block++) {
            double sumX = 0;
            double sumY = 0;
            for (int i = start(block, x.length); i < start(block + 1, x.length); i++) {
                sumX += x[i];
                sumY += y[i];
            }
            if (!(sumX > 0 && sumY > 0)) {
                return null;
            }
            logs.addValue(Math.log(sumY / sumX));
        }
        double half = new TDistribution(BLOCKS - 1.0).inverseCumulativeProbability(QUANTILE)
                * logs.getStandardDeviation()
                / Math.sqrt(BLOCKS);
        return new MeanRatio(
                Math.exp(logs.getMean()), Math.exp(logs.getMean() - half), Math.exp(logs.getMean() + half));
    }

    private static int start(int block, int length) {
        return (int) ((long) block * length / BLOCKS);
    }

    /** Returns whether the whole interval is within the bounds. */
    public boolean isEquivalent() {
        double bound = 1 + BOUND_PERCENT / 100.0;
        return low >= 1 / bound && high <= bound;
    }
}
