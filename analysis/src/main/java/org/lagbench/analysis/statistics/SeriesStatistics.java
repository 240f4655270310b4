package org.lagbench.analysis.statistics;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;

/**
 * What is said of one series of durations. What is undefined, for want of values, is NaN: all but n of no value, the
 * standard deviation of one.
 *
 * @param n how many values
 * @param medianNs median in ns, estimator R-7
 * @param meanNs mean in ns
 * @param standardDeviationNs sample standard deviation (n − 1) in ns
 * @param minimumNs least value in ns
 * @param maximumNs greatest value in ns
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

    /** Of no value. */
    static final SeriesStatistics NOTHING = new SeriesStatistics(
            0,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            TrimmedStatistics.NOTHING,
            TrimmedStatistics.NOTHING);

    /**
     * Describes a series, exactly, in two passes over it (three if values are over 67 ms, four at most) and less than 4
     * MiB of memory a partition, mostly 1 MiB. The same however many partitions there are.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static SeriesStatistics of(LongBlocks values) throws LagbenchException {
        SeriesComputation computation = new SeriesComputation(values);
        SeriesComputation.computeAll(List.of(computation));
        return computation.statistics();
    }

    /**
     * Describes a series that comes value by value, as {@link #of(LongBlocks)} does.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static SeriesStatistics of(LongValues values) throws LagbenchException {
        return of(LongBlocks.of(values));
    }

    /**
     * One quantile of a series in ns, estimator R-7; NaN if there is no value.
     *
     * @throws LagbenchException if the values cannot be read
     */
    public static double quantileNs(LongBlocks values, int percent) throws LagbenchException {
        Overview overview = Accumulator.of(List.of(values), i -> new Overview()).get(0);
        long n = overview.moments().n();
        if (n == 0) {
            return Double.NaN;
        }
        RankSearch search = new RankSearch(overview.bins(), Quantile.ranks(n, Quantile.PERCENT, percent));
        RankSearch.complete(List.of(values), List.of(List.of(search)));
        return Quantile.of(search.found(), n, Quantile.PERCENT, percent)[0];
    }

    /** What is to be searched in a series that has values. */
    static RankSearch search(Overview overview) {
        // of a quantile all that is above the lower of its two neighbours is trimmed: the ranks 2 and 4
        return new RankSearch(
                overview.bins(), Quantile.ranks(overview.moments().n(), Quantile.PERCENT, 50, 95, 99), 2, 4);
    }

    /** The statistics of a series that has values by its moments, and that search. */
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
}
