package org.lagbench.analysis.statistics;

import java.util.TreeSet;
import org.lagbench.core.failure.LagbenchException;

/**
 * The empirical distribution of a series by some of its values: those at even steps of probability, and toward both
 * ends ever closer, a decade of probability after the other, to the least and the greatest value themselves. Each is
 * exactly a value of the series. Immutable.
 */
public final class Distribution {
    private static final int EVEN_STEPS = 200;
    private static final int STEPS_A_DECADE = 40;

    private final long n;
    private final long[] index;
    private final long[] valueNs;

    private Distribution(long n, long[] index, long[] valueNs) {
        this.n = n;
        this.index = index;
        this.valueNs = valueNs;
    }

    /**
     * Of a series, in up to seven passes over it (mostly two) and less than 8 MiB of memory.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static Distribution of(LongValues values) throws LagbenchException {
        OrderStatistics ordered = OrderStatistics.of(values);
        long[] index = indices(ordered.n());
        return new Distribution(ordered.n(), index, ordered.at(index));
    }

    /** How many values the series has. */
    public long n() {
        return n;
    }

    /** How many of them are here: none if the series has none, all if it has few. */
    public int size() {
        return index.length;
    }

    /** The value in ns; not less than the one before. */
    public long valueNs(int point) {
        return valueNs[point];
    }

    /** The fraction of values that sort before this one or are it, from 1/n to 1: the cumulative distribution. */
    public double atOrBelow(int point) {
        return (double) (index[point] + 1) / (double) n;
    }

    /** The fraction of values that are this one or sort after it, from 1 to 1/n: the complementary distribution. */
    public double atOrAbove(int point) {
        return (double) (n - index[point]) / (double) n;
    }

    private static long[] indices(long n) {
        TreeSet<Long> indices = new TreeSet<>();
        if (n > 0) {
            for (int step = 0; step <= EVEN_STEPS; step++) {
                indices.add((n - 1) * step / EVEN_STEPS);
            }
            // as many values beyond as 1, 2, 3 … 10 and so on
            for (int step = 0; ; step++) {
                long beyond = Math.round(StrictMath.pow(10, (double) step / STEPS_A_DECADE)) - 1;
                if (beyond >= n) {
                    break;
                }
                indices.add(beyond);
                indices.add(n - 1 - beyond);
            }
        }
        return indices.stream().mapToLong(Long::longValue).toArray();
    }
}
