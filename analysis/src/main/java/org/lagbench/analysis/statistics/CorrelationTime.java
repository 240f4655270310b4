package org.lagbench.analysis.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The integrated autocorrelation time of a series, and the blocks in which its mean is estimated: blocks of
 * {@value #TIMES_PER_BLOCK} times are nearly independent. The time is 1 + 2ρ₁ + 2ρ₂ + …, up to a lag of as many times
 * itself (Sokal, "Monte Carlo Methods in Statistical Mechanics", 1997). If that reaches {@value #MAX_LAG} values, it is
 * computed from means of 2, 4, … values, so that a long series does not take hours.
 *
 * @param values at least 1; the unit is a value
 */
public record CorrelationTime(double values) {
    /** The minimum number of blocks for an interval: with fewer, the time itself is too uncertain. */
    public static final int MIN_BLOCKS = 20;

    private static final int TIMES_PER_BLOCK = 5;

    /** More than the number of cells of a series whose length is bounded. */
    private static final int MAX_LAG = 2_048;

    /** Returns the time of a series; 1 if all values are equal. */
    public static CorrelationTime of(double[] series) {
        double mean = Arrays.stream(series).average().orElse(0);
        double variance = autocovariance(series, mean, 0);
        return new CorrelationTime(variance > 0 ? Math.max(1, time(series, 1, mean, variance)) : 1);
    }

    /** Returns the time in values, by the means of so many values each. */
    private static double time(double[] means, int width, double mean, double variance) {
        double time = width * autocovariance(means, mean, 0) / variance;
        for (int lag = 1; lag < means.length && width * lag < TIMES_PER_BLOCK * time; lag++) {
            if (lag == MAX_LAG) {
                double[] wider = IntStream.range(0, means.length / 2)
                        .mapToDouble(pair -> (means[2 * pair] + means[2 * pair + 1]) / 2)
                        .toArray();
                return time(wider, 2 * width, mean, variance);
            }
            time += 2 * width * autocovariance(means, mean, lag) / variance;
        }
        return time;
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
