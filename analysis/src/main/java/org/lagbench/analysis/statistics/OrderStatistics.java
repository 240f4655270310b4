package org.lagbench.analysis.statistics;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lagbench.core.failure.LagbenchException;

/**
 * The values of a series by their rank, exactly, without sorting or keeping them: what {@link RankSearch} finds in bins
 * that one pass has counted. Immutable.
 */
public final class OrderStatistics {
    private final LongBlocks values;
    private final LogHistogram bins = new LogHistogram();
    private final Moments moments = new Moments();

    private OrderStatistics(LongBlocks values) throws LagbenchException {
        this.values = values;
        values.forEach(0, 0, (block, count) -> {
            bins.accept(block, count);
            for (int i = 0; i < count; i++) {
                moments.accept(block[i]);
            }
        });
    }

    /**
     * Reads the values once.
     *
     * @throws LagbenchException if they cannot be read
     */
    public static OrderStatistics of(LongValues values) throws LagbenchException {
        return new OrderStatistics(LongBlocks.of(values));
    }

    /** Of values that are held in memory. */
    public static OrderStatistics of(long... values) throws LagbenchException {
        return of(consumer -> LongStream.of(values).forEach(consumer));
    }

    /** Returns the number of values. */
    public long n() {
        return moments.n();
    }

    /** Returns what is known of all values together. */
    Moments moments() {
        return moments;
    }

    /**
     * Returns the values that would stand at these indices if all were sorted, in the order of the ranks.
     *
     * @param ranks indices from 0, less than {@link #n()}, in any order
     * @throws LagbenchException if the values cannot be read
     */
    public long[] at(long... ranks) throws LagbenchException {
        RankSearch search = new RankSearch(bins, ranks);
        RankSearch.complete(List.of(values), List.of(List.of(search)));
        return search.found();
    }

    /** Returns quantiles by estimator R-7; NaN if there is no value. */
    double[] quantiles(int parts, int... numerators) throws LagbenchException {
        return n() == 0
                ? IntStream.of(numerators).mapToDouble(p -> Double.NaN).toArray()
                : Quantile.of(at(Quantile.ranks(n(), parts, numerators)), n(), parts, numerators);
    }
}
