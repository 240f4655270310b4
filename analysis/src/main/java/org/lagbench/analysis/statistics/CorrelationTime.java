package org.lagbench.analysis.statistics;

import java.util.Arrays;

/**
 * The integrated autocorrelation time of a series, and the blocks in which its mean is estimated: blocks of
 * {@value #TIMES_PER_BLOCK} times are nearly independent. The time is 1 + 2ρ₁ + 2ρ₂ + …, up to a lag of as many times
 * itself (Sokal, "Monte Carlo Methods in Statistical Mechanics", 1997).
 *
 * @param values at least 1; the unit is a value
 */
public record CorrelationTime(double values) {
    /** The minimum number of blocks for an interval: with fewer, the time itself is too uncertain. */
    public static final int MIN_BLOCKS = 20;

    private static final int TIMES_PER_BLOCK = 5;

    /** Returns the time of a series; 1 if all values are equal. */
    public static CorrelationTime of(double[] series) {
        double mean = Arrays.stream(series).average().orElse(0);
        double variance = autocovariance(series, mean, 0);
        double time = 1;
        for (int lag = 1; variance > 0 && lag < series.length && lag < TIMES_PER_BLOCK * time; lag++) {
            time += 2 * autocovariance(series, mean, lag) / variance;
        }
        return new CorrelationTime(Math.max(1, time));
    }

    private static double autocovariance(double[] series, double mean, int lag) {
        double sum = 0;
        for (int i = lag; i < series.length; i++) {
            sum += (series[i] - mean) * (series[i - lag] - mean);
        }
        return sum / series.length;
    }

    /** Returns the smallest length of a block. */
    public int block() {
        return (int) Math.ceil(TIMES_PER_BLOCK * values);
    }

    /**
     * Returns which part of the variance of a mean the means of blocks show. The rest is the correlation between blocks
     * of this length, which is known for an autoregressive process of order 1.
     */
    public double shownBy(double blockLength) {
        return 1 - (values - 1 / values) / (2 * blockLength);
    }
}
