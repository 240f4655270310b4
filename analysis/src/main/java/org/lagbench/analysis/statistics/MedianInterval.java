package org.lagbench.analysis.statistics;

import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * An interval for the median of a distribution by order statistics: from the k-th least of n independent values to the
 * k-th greatest. It contains the median with a confidence of
 *
 * <pre>
 *   1 − 2·P(binomial(n, ½) &lt; k)   (David and Nagaraja, Order Statistics, 2003, section 7.1)
 * </pre>
 *
 * <p>k is the greatest number with a confidence of at least 95 %. Fewer than 6 values have none: k is 1, and the
 * confidence of the whole range is less.
 *
 * @param rank the index of the lower end among the sorted values, k − 1; that of the upper end is n − 1 − rank
 * @param confidence from 0
 */
public record MedianInterval(int rank, double confidence) {
    private static final double CONFIDENCE = 0.95;

    /** Returns the interval for n values, at least 1. */
    public static MedianInterval of(int n) {
        int k = 1;
        while (confidence(n, k + 1) >= CONFIDENCE) {
            k++;
        }
        return new MedianInterval(k - 1, confidence(n, k));
    }

    /** Returns the confidence of the interval from the k-th least of n values to the k-th greatest. */
    static double confidence(int n, int k) {
        return 1 - 2 * new BinomialDistribution(null, n, 0.5).cumulativeProbability(k - 1);
    }
}
