package org.lagbench.analysis.statistics;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * How much consecutive repeats depend on each other, as an autoregressive process of order 1. Intervals of independent
 * repeats are too narrow for such repeats.
 *
 * <p>The correlation is that of neighbors, corrected for its bias of −(1 + 3ρ)/n (Kendall 1954), plus its standard
 * error √((1 − ρ²)/n): few repeats cannot show that they are independent. If a test shows dependence, it is plus two
 * standard errors.
 *
 * @param correlation an upper limit of the correlation of neighbors, from 0 to {@value #MAXIMUM}
 * @param isShown whether a test of the correlation of neighbors, or of a trend (Mann 1945, Kendall), shows at 10 % that
 *     the repeats depend on each other
 */
public record RepeatDependence(double correlation, boolean isShown) {
    private static final double MAXIMUM = .98;
    private static final double LEVEL = .1;

    /** Returns the dependence of values in the order of time. */
    public static RepeatDependence of(double... values) {
        int n = values.length;
        double variance = StatUtils.populationVariance(values);
        if (n < 3 || variance == 0) {
            return new RepeatDependence(0, false);
        }
        double mean = StatUtils.mean(values);
        double sum = 0;
        for (int i = 1; i < n; i++) {
            sum += (values[i] - mean) * (values[i - 1] - mean);
        }
        double ofNeighbors = sum / (n * variance);
        NormalDistribution normal = new NormalDistribution(null, 0, 1);
        // the mean and variance of independent values (Moran 1948)
        boolean isCorrelated =
                ((n - 1) * ofNeighbors + 1) / Math.sqrt(n - 2.0) > normal.inverseCumulativeProbability(1 - LEVEL);
        boolean isShown = isCorrelated || trend(values) > normal.inverseCumulativeProbability(1 - LEVEL / 2);
        double unbiased = ofNeighbors + (1 + 3 * ofNeighbors) / n;
        double error = Math.sqrt(Math.max(0, 1 - unbiased * unbiased) / n);
        double upper = unbiased + (isShown ? 2 : 1) * error;
        return new RepeatDependence(Math.max(0, Math.min(MAXIMUM, upper)), isShown);
    }

    /** Returns how far the number of ascending pairs is from that of independent values, in standard deviations. */
    private static double trend(double[] values) {
        int n = values.length;
        int ascending = 0;
        for (int later = 1; later < n; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                ascending += (int) Math.signum(values[later] - values[earlier]);
            }
        }
        return (Math.abs(ascending) - 1) / Math.sqrt(n * (n - 1) * (2 * n + 5) / 18.0);
    }

    /**
     * Returns the number of independent values that show as much about a center as n dependent ones:
     *
     * <pre>
     *   n·(1 − ρ)/(1 + ρ)
     * </pre>
     */
    public double effective(int n) {
        return n * (1 - correlation) / (1 + correlation);
    }

    /**
     * Returns values whose interval, as of independent ones, is right for these: their distances from the median are
     * multiplied by √(n/{@link #effective effective number}).
     */
    public double[] stretch(double... values) {
        double median = Quantile.median(values);
        double factor = Math.sqrt(1 / effective(1));
        return Arrays.stream(values)
                .map(value -> median + factor * (value - median))
                .toArray();
    }
}
