package org.lagbench.analysis.media;

import org.apache.commons.math3.special.Beta;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.analysis.statistics.OrderStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * An interval for a delay in numbers of late packets. The lower end is the delay that {@code atMost} packets exceed;
 * the upper end is the one that {@code atLeast} packets exceed. Each end has an error probability of {@value #TAIL}.
 *
 * @param atMost number of packets that exceed the lower end; −1 if that is unknown
 * @param atLeast number of packets that exceed the upper end; −1 if no packet is late enough
 */
record LateCountInterval(long atMost, long atLeast) {
    /** The error probability at either end of a 95 % confidence interval. */
    static final double TAIL = 0.025;

    /**
     * Returns the interval by the order statistics of independent packets: the number of late ones is binomial.
     *
     * @param n number of packets
     * @param share probability that a packet is late at the true delay, between 0 and 1
     */
    static LateCountInterval binomial(long n, double share) {
        return new LateCountInterval(least(n, share, 1 - TAIL), least(n, share, TAIL) - 1);
    }

    /** Returns the interval by resampled numbers of late packets, in any order; without numbers, both ends are open. */
    static LateCountInterval percentile(long[] numbers) throws LagbenchException {
        if (numbers.length == 0) {
            return new LateCountInterval(-1, -1);
        }
        int tail = (int) (numbers.length * TAIL);
        long[] ends = OrderStatistics.of(numbers).at(numbers.length - 1 - tail, tail);
        return new LateCountInterval(ends[0], ends[1] - 1);
    }

    /** Returns the least number n of packets with which the interval has an upper end: (1 − share)ⁿ ≤ {@link #TAIL}. */
    static long packetsNeeded(double share) {
        return (long) Math.ceil(Math.log(TAIL) / Math.log1p(-share));
    }

    /** Returns the least k with P(binomial ≤ k) > probability. */
    private static long least(long n, double share, double probability) {
        return Bisection.first(0, n, k -> atMost(k, n, share) > probability);
    }

    /** Returns P(binomial(n, share) ≤ k), by the incomplete beta function. */
    private static double atMost(long k, long n, double share) {
        return k >= n ? 1 : Beta.regularizedBeta(1 - share, (double) (n - k), k + 1.0);
    }
}
