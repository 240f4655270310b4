package org.lagbench.analysis.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.LongBlocks.Accumulator;
import org.lagbench.core.failure.LagbenchException;

/**
 * Computes the statistics of one series and, optionally, a quantile of the series without some of its values. Several
 * series are {@linkplain #computeAll computed together} in the same passes, because reading captures dominates the
 * cost. Not thread-safe.
 */
public final class SeriesComputation {
    private final LongBlocks values;
    private final long[] excluded;
    private final int percent;
    private ExactMoments moments = new ExactMoments();
    private @Nullable RankSearch search;
    private @Nullable RankSearch remainder;

    /** Creates a computation of the statistics alone. */
    public SeriesComputation(LongBlocks values) {
        this(values, 0);
    }

    /**
     * Creates a computation of the statistics of all values, and of a quantile of the values without some of them.
     *
     * @param percent which quantile
     * @param excluded values of the series to exclude from the quantile; a value given twice is excluded twice
     */
    public SeriesComputation(LongBlocks values, int percent, long... excluded) {
        this.values = values;
        this.percent = percent;
        this.excluded = excluded.clone();
    }

    /**
     * Reads all series together: twice, three times if values exceed 67 ms, at most four times.
     *
     * @param all computations of series with the same partitions and parts
     */
    public static void computeAll(List<SeriesComputation> all) throws LagbenchException {
        List<LongBlocks> series = all.stream().map(one -> one.values).toList();
        List<Overview> overviews = Accumulator.of(series, i -> new Overview());
        List<List<RankSearch>> searches = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            searches.add(all.get(i).searches(overviews.get(i)));
        }
        RankSearch.complete(series, searches);
    }

    /** Returns the statistics after {@link #computeAll}. */
    public SeriesStatistics statistics() {
        return search == null ? SeriesStatistics.NONE : SeriesStatistics.of(moments, search);
    }

    /** Returns the quantile of the remaining values in ns, estimator R-7; NaN if none remains. */
    public double remainderQuantileNs() {
        return remainder == null
                ? Double.NaN
                : Quantile.of(remainder.found(), moments.n() - excluded.length, Quantile.PERCENT, percent)[0];
    }

    private List<RankSearch> searches(Overview overview) {
        moments = overview.moments;
        if (moments.n() > 0) {
            search = SeriesStatistics.search(overview);
        }
        long remaining = moments.n() - excluded.length;
        if (percent > 0 && remaining > 0) {
            remainder = RankSearch.without(
                    excluded, overview.histogram, Quantile.ranks(remaining, Quantile.PERCENT, percent));
        }
        return Stream.of(search, remainder).filter(Objects::nonNull).toList();
    }

    /** The result of the first pass, from which further passes find ranks exactly. */
    static final class Overview implements Accumulator<Overview> {
        final ExactMoments moments = new ExactMoments();
        final LogHistogram histogram = new LogHistogram();

        @Override
        public void accept(long[] values, int count) {
            moments.accept(values, count);
            histogram.accept(values, count);
        }

        @Override
        public void add(Overview other) {
            moments.add(other.moments);
            histogram.add(other.histogram);
        }
    }
}
