package org.lagbench.analysis.statistics;

import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.SecondMoment;
import org.apache.commons.math3.stat.descriptive.moment.Variance;
import org.lagbench.core.failure.LagbenchException;

/**
 * Exact order statistics and moments of a series, without sorting or keeping its values: {@link RankSearch} refines the
 * histogram of a first pass. Immutable.
 */
public final class OrderStatistics {
    private final LongBlocks values;
    private final LogHistogram histogram = new LogHistogram();
    private final LongSummaryStatistics range = new LongSummaryStatistics();

    /** Computes mean and variance by Welford's update; a double holds values up to 2⁵³ (104 days in ns) exactly. */
    private final SecondMoment moment = new SecondMoment();

    private OrderStatistics(LongBlocks values) throws LagbenchException {
        this.values = values;
        values.forEach(0, 0, (block, count) -> {
            histogram.accept(block, count);
            for (int i = 0; i < count; i++) {
                range.accept(block[i]);
                moment.increment((double) block[i]);
            }
        });
    }

    /** Computes the statistics in one pass over the values. */
    public static OrderStatistics of(LongValues values) throws LagbenchException {
        return new OrderStatistics(LongBlocks.of(values));
    }

    /** Returns the number of values. */
    public long n() {
        return range.getCount();
    }

    /** Returns the smallest value, NaN if there is none. */
    double minimum() {
        return n() == 0 ? Double.NaN : (double) range.getMin();
    }

    /** Returns the largest value, NaN if there is none. */
    double maximum() {
        return n() == 0 ? Double.NaN : (double) range.getMax();
    }

    /** Returns the mean, NaN if there is no value. */
    double mean() {
        return new Mean(moment).getResult();
    }

    /** Returns the sample standard deviation (n − 1), NaN if there are fewer than two values. */
    double standardDeviation() {
        return n() < 2 ? Double.NaN : Math.sqrt(new Variance(moment).getResult());
    }

    /**
     * Returns the values at the given indices of the sorted series, in the order of the ranks.
     *
     * @param ranks indices from 0, less than {@link #n()}, in any order
     */
    public long[] at(long... ranks) throws LagbenchException {
        RankSearch search = new RankSearch(histogram, ranks);
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
