package org.lagbench.analysis.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.analysis.statistics.LongBlocks.Accumulator;
import org.lagbench.analysis.statistics.LongBlocks.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * Finds values by rank, exactly, without sorting or keeping the others: each pass counts the bins of the wanted values
 * into finer bins, until they are 1 ns wide. A pass resolves {@value #BIN_BITS} bits, so that values up to ±67 ms need
 * one pass and any values three. Takes up to 256 KiB per rank and partition. A search for more than {@value #FEW} ranks
 * resolves {@value #MANY_BIN_BITS} bits per pass and takes 8 KiB per rank. Used once; not thread-safe.
 */
final class RankSearch {
    private static final int BIN_BITS = 15;
    private static final int MANY_BIN_BITS = 10;
    private static final int FEW = 16;

    private final int binBits;

    /** The current bin of each rank. */
    private final LogHistogram.Bin[] bins;

    /** Positions in the array of ranks. For each, the moments of the values above that rank are computed too. */
    private final int[] trimmed;

    private final ExactMoments[] above;
    private final long[] excluded;
    private boolean done;

    /**
     * Creates a search that has read nothing yet.
     *
     * @param ranks indices from 0, less than the number of values, in any order
     * @param trimmed positions among the ranks, for {@link #above}
     */
    RankSearch(LogHistogram coarse, long[] ranks, int... trimmed) {
        this(coarse, new long[0], ranks, trimmed);
    }

    private RankSearch(LogHistogram coarse, long[] excluded, long[] ranks, int... trimmed) {
        this.binBits = ranks.length > FEW ? MANY_BIN_BITS : BIN_BITS;
        this.bins = Arrays.stream(ranks).mapToObj(coarse::of).toArray(LogHistogram.Bin[]::new);
        this.trimmed = trimmed;
        this.above = new ExactMoments[trimmed.length];
        this.excluded = excluded;
        this.done = trimmed.length == 0 && widest() == 0;
    }

    /** Returns a search among the values that remain without {@code excluded}; ranks count only these. */
    static RankSearch without(long[] excluded, LogHistogram coarse, long... ranks) {
        LogHistogram remaining = new LogHistogram();
        remaining.add(coarse);
        remaining.count(excluded, excluded.length, -1);
        return new RankSearch(remaining, excluded, ranks);
    }

    /**
     * Reads several series together until all searches are complete.
     *
     * @param searches the searches of each series
     */
    static void complete(List<LongBlocks> series, List<List<RankSearch>> searches) throws LagbenchException {
        while (true) {
            List<LongBlocks> passing = new ArrayList<>();
            List<List<RankSearch>> open = new ArrayList<>();
            for (int i = 0; i < series.size(); i++) {
                List<RankSearch> left =
                        searches.get(i).stream().filter(search -> !search.done).toList();
                if (!left.isEmpty()) {
                    passing.add(series.get(i));
                    open.add(left);
                }
            }
            if (open.isEmpty()) {
                return;
            }
            List<PassCounts> counts = Accumulator.of(passing, i -> new PassCounts(open.get(i)));
            for (int i = 0; i < open.size(); i++) {
                for (int search = 0; search < open.get(i).size(); search++) {
                    open.get(i).get(search).refine(counts.get(i).all.get(search));
                }
            }
        }
    }

    /** Returns the values at the ranks, in their order, once the search is complete. */
    long[] found() {
        return Arrays.stream(bins).mapToLong(LogHistogram.Bin::low).toArray();
    }

    /** Returns the moments of the values above that of {@code trimmed[i]}, once the search is complete. */
    ExactMoments above(int i) {
        return above[i];
    }

    private int widest() {
        return Arrays.stream(bins).mapToInt(LogHistogram.Bin::width).max().orElse(0);
    }

    private boolean isLastPass() {
        return widest() <= binBits;
    }

    private void refine(SearchCounts counts) {
        boolean isLast = isLastPass();
        counts.count(excluded, excluded.length, -1);
        for (int i = 0; i < bins.length; i++) {
            bins[i] = counts.finerBin(bins[i]);
        }
        for (int i = 0; isLast && i < trimmed.length; i++) {
            above[i] = counts.above(i, bins[trimmed[i]].low());
        }
        done = isLast;
    }

    /** The counts of one pass and partition, for all searches in a series. */
    private static final class PassCounts implements Accumulator<PassCounts> {
        private final List<SearchCounts> all;

        PassCounts(List<RankSearch> searches) {
            all = searches.stream().map(SearchCounts::new).toList();
        }

        @Override
        public void accept(long[] values, int count) {
            for (SearchCounts counts : all) {
                counts.count(values, count, 1);
                for (ValuesAbove limit : counts.above) {
                    limit.accept(values, count);
                }
            }
        }

        @Override
        public void add(PassCounts other) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).add(other.all.get(i));
            }
        }
    }

    /** What one thread counts for one search while it reads its partition of the values. */
    private static final class SearchCounts {
        /** In ascending order. */
        private final FineBins[] fine;

        private final long[] lows;
        private final ValuesAbove[] above;

        SearchCounts(RankSearch search) {
            Map<Long, FineBins> distinct = new TreeMap<>();
            for (LogHistogram.Bin bin : search.bins) {
                distinct.computeIfAbsent(bin.low(), low -> new FineBins(bin, search.binBits));
            }
            fine = distinct.values().toArray(FineBins[]::new);
            lows = Arrays.stream(fine).mapToLong(bins -> bins.low).toArray();
            above = Arrays.stream(search.isLastPass() ? search.trimmed : new int[0])
                    .mapToObj(place -> new ValuesAbove(search.bins[place]))
                    .toArray(ValuesAbove[]::new);
        }

        void count(long[] values, int count, int times) {
            if (fine.length <= FEW) {
                for (FineBins bins : fine) {
                    for (int i = 0; i < count; i++) {
                        bins.add(values[i], times);
                    }
                }
            } else {
                for (int i = 0; i < count; i++) {
                    int found = Arrays.binarySearch(lows, values[i]);
                    int last = found >= 0 ? found : -found - 2; // the last bin that begins before the value
                    if (last >= 0) {
                        fine[last].add(values[i], times);
                    }
                }
            }
        }

        void add(SearchCounts other) {
            for (int i = 0; i < fine.length; i++) {
                fine[i].add(other.fine[i]);
            }
            for (int i = 0; i < above.length; i++) {
                above[i].moments.add(other.above[i].moments);
            }
        }

        LogHistogram.Bin finerBin(LogHistogram.Bin bin) {
            return of(bin.low()).of(bin.rankWithin());
        }

        /** Returns the moments of the values above a value: the rest of its bin and all later bins. */
        ExactMoments above(int limit, long value) {
            of(above[limit].low).addAbove(value, above[limit].moments);
            return above[limit].moments;
        }

        private FineBins of(long low) {
            return fine[Arrays.binarySearch(lows, low)];
        }
    }

    /** One bin, divided into finer bins. */
    private static final class FineBins {
        private final long low;
        private final int width;
        private final int shift;
        private final long[] counts;

        FineBins(LogHistogram.Bin bin, int binBits) {
            low = bin.low();
            width = bin.width();
            shift = Math.max(0, width - binBits);
            counts = new long[1 << (width - shift)];
        }

        void add(long value, int times) {
            long offset = value - low;
            if (offset >>> width == 0) {
                counts[(int) (offset >>> shift)] += times;
            }
        }

        void add(FineBins other) {
            Arrays.setAll(counts, bin -> counts[bin] + other.counts[bin]);
        }

        LogHistogram.Bin of(long rankWithin) {
            long before = 0;
            int bin = 0;
            while (rankWithin - before >= counts[bin]) {
                before += counts[bin++];
            }
            return new LogHistogram.Bin(low + ((long) bin << shift), shift, rankWithin - before);
        }

        /** Adds the values above a value; the bins must be 1 ns wide. */
        void addAbove(long value, ExactMoments moments) {
            for (int bin = (int) (value - low) + 1; bin < counts.length; bin++) {
                if (counts[bin] > 0) {
                    moments.add(low + bin, counts[bin]);
                }
            }
        }
    }

    /** The moments of the values above a bin. */
    private static final class ValuesAbove implements BlockConsumer {
        private final long low;
        private final long last;
        private final long[] greater = new long[LongBlocks.BLOCK];
        private final ExactMoments moments = new ExactMoments();

        ValuesAbove(LogHistogram.Bin bin) {
            low = bin.low();
            last = bin.low() + ((1L << bin.width()) - 1);
        }

        @Override
        public void accept(long[] values, int count) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                greater[kept] = values[i];
                kept += values[i] > last ? 1 : 0;
            }
            moments.accept(greater, kept);
        }
    }
}
