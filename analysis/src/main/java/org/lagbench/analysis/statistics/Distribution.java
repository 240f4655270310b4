package org.lagbench.analysis.statistics;

import java.util.TreeSet;
import org.lagbench.core.failure.LagbenchException;

/**
 * An empirical distribution, sampled at even steps of probability and ever more densely toward both ends, up to the
 * smallest and the largest value. Each sample is a value of the series.
 *
 * @param n number of values in the series
 * @param ranks the index of each sample among the sorted values
 * @param valuesNs the samples in ns, in ascending order
 */
@SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
public record Distribution(long n, long[] ranks, long[] valuesNs) {
    private static final int EVEN_STEPS = 200;
    private static final int STEPS_PER_DECADE = 40;

    /** Samples a series in up to seven passes (usually two) and less than 8 MiB of memory. */
    public static Distribution of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        long[] ranks = ranks(ordered.n());
        return new Distribution(ordered.n(), ranks, ordered.at(ranks));
    }

    /** Returns the number of samples: 0 if the series is empty. */
    public int size() {
        return ranks.length;
    }

    /** Returns a sample in ns; samples are in ascending order. */
    public long valueNs(int sample) {
        return valuesNs[sample];
    }

    /** Returns the cumulative distribution at a sample: the fraction of values up to it, from 1/n to 1. */
    public double atOrBelow(int sample) {
        return (double) (ranks[sample] + 1) / (double) n;
    }

    /** Returns the complementary distribution at a sample: the fraction of values that are not less, from 1 to 1/n. */
    public double atOrAbove(int sample) {
        return (double) (n - ranks[sample]) / (double) n;
    }

    private static long[] ranks(long n) {
        TreeSet<Long> ranks = new TreeSet<>();
        if (n > 0) {
            for (int step = 0; step <= EVEN_STEPS; step++) {
                ranks.add((n - 1) * step / EVEN_STEPS);
            }
            // a geometric sequence of distances from both ends
            for (int step = 0; ; step++) {
                long beyond = Math.round(StrictMath.pow(10, (double) step / STEPS_PER_DECADE)) - 1;
                if (beyond >= n) {
                    break;
                }
                ranks.add(beyond);
                ranks.add(n - 1 - beyond);
            }
        }
        return ranks.stream().mapToLong(Long::longValue).toArray();
    }
}
