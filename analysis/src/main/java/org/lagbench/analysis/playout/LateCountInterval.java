package org.lagbench.analysis.playout;

import org.apache.commons.math3.special.Beta;
import org.lagbench.analysis.statistics.OrderStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * Between which numbers of late packets the true delay for a share of late packets lies, of n packets sent: a delay
 * that {@code atMost} packets exceed is at most the true one, and one that {@code atLeast} exceed at least, each but
 * for {@value #TAIL} of all samples.
 *
 * @param atMost of the interval's lower end; the number of packets that exceed it
 * @param atLeast of the interval's upper end; −1 if no packet is late enough to be one
 */
record LateCountInterval(long atMost, long atLeast) {
    /** What is left out at either end of an interval of 95 % confidence. */
    static final double TAIL = 0.025;

    /**
     * By the order statistics of independent packets: the number of late ones is binomial.
     *
     * @param n how many packets
     * @param share of them that are late beyond the true delay, between 0 and 1
     */
    static LateCountInterval binomial(long n, double share) {
        return new LateCountInterval(least(n, share, 1 - TAIL), least(n, share, TAIL) - 1);
    }

    /**
     * By numbers of late packets drawn again.
     *
     * @param numbers in any order
     */
    static LateCountInterval percentile(long[] numbers) throws LagbenchException {
        int tail = (int) (numbers.length * TAIL);
        long[] ends = OrderStatistics.of(numbers).at(numbers.length - 1 - tail, tail);
        return new LateCountInterval(ends[0], ends[1] - 1);
    }

    /** The fewest independent packets for which the upper end is one of them: (1 − share)ⁿ ≤ {@link #TAIL}. */
    static long packetsNeeded(double share) {
        return (long) Math.ceil(Math.log(TAIL) / Math.log1p(-share));
    }

    /** The least k with P(binomial ≤ k) ≥ probability; for the greatest with less than that, one less. */
    private static long least(long n, double share, double probability) {
        long low = 0;
        long high = n;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (atMost(middle, n, share) > probability) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** P(binomial(n, share) ≤ k), by the incomplete beta function. */
    private static double atMost(long k, long n, double share) {
        return k >= n ? 1 : Beta.regularizedBeta(1 - share, (double) (n - k), k + 1.0);
    }
}
