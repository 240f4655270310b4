package org.lagbench.analysis.statistics;

import static java.lang.Double.NaN;

import java.util.List;
import org.lagbench.analysis.statistics.SeriesComputation.Overview;
import org.lagbench.core.failure.LagbenchException;

/**
 * Statistics of a series of durations. Undefined metrics are NaN: all but n if there is no value, and the standard
 * deviation if there is one value.
 *
 * @param n number of values
 * @param medianNs median in ns, estimator R-7
 * @param meanNs mean in ns
 * @param standardDeviationNs sample standard deviation (n − 1) in ns
 * @param minimumNs smallest value in ns
 * @param maximumNs largest value in ns
 * @param withoutQ95 the values ≤ the 95 % quantile
 * @param withoutQ99 the values ≤ the 99 % quantile
 */
public record SeriesStatistics(
        long n,
        double medianNs,
        double meanNs,
        double standardDeviationNs,
        double minimumNs,
        double maximumNs,
        TrimmedStatistics withoutQ95,
        TrimmedStatistics withoutQ99) {
    /** The statistics of no values. */
    public static final SeriesStatistics NONE =
            new SeriesStatistics(0, NaN, NaN, NaN, NaN, NaN, TrimmedStatistics.NONE, TrimmedStatistics.NONE);

    /**
     * Computes the exact statistics in two passes (three if values exceed 67 ms, at most four) and less than 4 MiB of
     * memory per partition, usually 1 MiB. The result does not depend on the number of partitions.
     */
    public static SeriesStatistics of(LongBlocks values) throws LagbenchException {
        SeriesComputation computation = new SeriesComputation(values);
        SeriesComputation.computeAll(List.of(computation));
        return computation.statistics();
    }

    /** Computes the same as {@link #of(LongBlocks)} from single values. */
    public static SeriesStatistics of(LongValues values) throws LagbenchException {
        return of(LongBlocks.of(values));
    }

    /** Returns the search that {@link #of(ExactMoments, RankSearch)} needs, of a series that has values. */
    static RankSearch search(Overview overview) {
        // ranks 2 and 4 are the lower neighbors of Q95 and Q99: trimming at a quantile drops the values above them
        return new RankSearch(
                overview.histogram, Quantile.ranks(overview.moments.n(), Quantile.PERCENT, 50, 95, 99), 2, 4);
    }

    static SeriesStatistics of(ExactMoments all, RankSearch search) {
        double[] quantiles = Quantile.of(search.found(), all.n(), Quantile.PERCENT, 50, 95, 99);
        return new SeriesStatistics(
                all.n(),
                quantiles[0],
                all.mean(),
                all.standardDeviation(),
                (double) all.minimum(),
                (double) all.maximum(),
                trimmed(quantiles[1], all, search.above(0)),
                trimmed(quantiles[2], all, search.above(1)));
    }

    private static TrimmedStatistics trimmed(double quantileNs, ExactMoments all, ExactMoments above) {
        ExactMoments kept = all.without(above);
        return new TrimmedStatistics(quantileNs, kept.mean(), kept.standardDeviation(), above.n());
    }

    /**
     * Statistics of the values of a series that are ≤ an upper quantile.
     *
     * @param quantileNs the quantile, estimator R-7, in ns
     * @param meanNs mean of the values kept, in ns
     * @param standardDeviationNs sample standard deviation of the values kept, in ns; NaN of fewer than two
     * @param dropped number of values above the quantile
     */
    public record TrimmedStatistics(double quantileNs, double meanNs, double standardDeviationNs, long dropped) {
        /** The statistics of no values. */
        static final TrimmedStatistics NONE = new TrimmedStatistics(NaN, NaN, NaN, 0);
    }
}
