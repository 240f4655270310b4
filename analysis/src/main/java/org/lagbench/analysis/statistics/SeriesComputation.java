package org.lagbench.analysis.statistics;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;

/**
 * The statistics of one series, and if asked for a quantile of what remains of it without some values. Several series
 * are computed {@linkplain #computeAll together}, in the same passes, since to read captures takes longer than what is
 * done with them. Not thread-safe.
 */
public final class SeriesComputation {
    private final LongBlocks values;
    private final long[] others;
    private final int percent;
    private ExactMoments moments = new ExactMoments();
    private @Nullable RankSearch search;
    private @Nullable RankSearch remainder;

    /** Asks for the statistics of a series. */
    public SeriesComputation(LongBlocks values) {
        this(values, 0);
    }

    /**
     * Asks for the statistics of a series, and for a quantile of what remains.
     *
     * @param percent which quantile
     * @param others values of the series that are not to count for it, each as often as it is not
     */
    public SeriesComputation(LongBlocks values, int percent, long... others) {
        this.values = values;
        this.percent = percent;
        this.others = others.clone();
    }

    /**
     * Goes through all series as often as it takes: twice, thrice if values are over 67 ms, four times at most.
     *
     * @param all computations of series with the same partitions and parts
     * @throws LagbenchException if the values cannot be read
     */
    public static void computeAll(List<SeriesComputation> all) throws LagbenchException {
        List<LongBlocks> series = all.stream().map(one -> one.values).toList();
        List<Overview> overviews = Accumulator.of(series, i -> new Overview());
        List<List<RankSearch>> searches = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            searches.add(all.get(i).begin(overviews.get(i)));
        }
        RankSearch.complete(series, searches);
    }

    /** The statistics, once they are computed. */
    public SeriesStatistics statistics() {
        return search == null ? SeriesStatistics.NOTHING : SeriesStatistics.of(moments, search);
    }

    /** The quantile of what remains in ns, estimator R-7, once it is computed; NaN if nothing does. */
    public double remainderQuantileNs() {
        return remainder == null
                ? Double.NaN
                : Quantile.of(remainder.found(), moments.n() - others.length, Quantile.PERCENT, percent)[0];
    }

    private List<RankSearch> begin(Overview overview) {
        List<RankSearch> searches = new ArrayList<>();
        moments = overview.moments();
        if (moments.n() > 0) {
            search = SeriesStatistics.search(overview);
            searches.add(search);
        }
        if (percent > 0 && moments.n() > others.length) {
            remainder = RankSearch.without(
                    others, overview.bins(), Quantile.ranks(moments.n() - others.length, Quantile.PERCENT, percent));
            searches.add(remainder);
        }
        return searches;
    }
}
