package org.lagbench.analysis.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.core.failure.LagbenchException;

/**
 * Finds values by rank exactly, without sorting or keeping the others: the bins that hold them are counted into finer
 * bins, until a bin is one value. A pass settles {@value #BIN_BITS} bits: one pass is enough for values up to ±67 ms,
 * three are for any. Takes up to 256 KiB a rank and partition. Where more than {@value #FEW} ranks are wanted a pass
 * settles {@value #MANY_BIN_BITS} bits and takes 8 KiB a rank. Used once; not thread-safe.
 */
final class RankSearch {
    private static final int BIN_BITS = 15;
    private static final int MANY_BIN_BITS = 10;
    private static final int FEW = 16;

    private final int binBits;

    /** The bin that each rank is in. */
    private final LogHistogram.Bin[] bins;

    /** The ranks, by their places, of which the moments of what is greater are wanted. */
    private final int[] trimmed;

    private final ExactMoments[] above;

    /** Values that pass but do not count. */
    private final long[] others;

    private boolean done;

    /**
     * A search with nothing read yet.
     *
     * @param ranks indices from 0, less than the number of values, in any order
     * @param trimmed places among the ranks, for {@link #above}
     */
    RankSearch(LogHistogram coarse, long[] ranks, int... trimmed) {
        this(coarse, new long[0], ranks, trimmed);
    }

    private RankSearch(LogHistogram coarse, long[] others, long[] ranks, int... trimmed) {
        this.binBits = ranks.length > FEW ? MANY_BIN_BITS : BIN_BITS;
        this.bins = Arrays.stream(ranks).mapToObj(coarse::of).toArray(LogHistogram.Bin[]::new);
        this.trimmed = trimmed;
        this.above = new ExactMoments[trimmed.length];
        this.others = others;
        this.done = trimmed.length == 0 && widest() == 0;
    }

    /** A search among what remains of the values without some of them. */
    static RankSearch without(long[] others, LogHistogram coarse, long... ranks) {
        LogHistogram remaining = new LogHistogram();
        remaining.add(coarse);
        remaining.takeOut(others);
        return new RankSearch(remaining, others, ranks);
    }

    /**
     * Goes through several series together until nothing is left to be searched.
     *
     * @param searches those of each series
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
                    open.get(i).get(search).proceed(counts.get(i).all.get(search));
                }
            }
        }
    }

    /**
     * The values that would stand at the ranks' indices if all were sorted, in the order of the ranks, once it is
     * complete.
     */
    long[] found() {
        return Arrays.stream(bins).mapToLong(LogHistogram.Bin::low).toArray();
    }

    /** The moments of the values that are greater than that of {@code trimmed[i]}, once it is complete. */
    ExactMoments above(int i) {
        return above[i];
    }

    private int widest() {
        return Arrays.stream(bins).mapToInt(LogHistogram.Bin::width).max().orElse(0);
    }

    private boolean isLastPass() {
        return widest() <= binBits;
    }

    private Count count() {
        return new Count(bins, binBits, isLastPass() ? trimmed : new int[0]);
    }

    /** Takes in what a pass counted. */
    private void proceed(Count count) {
        boolean last = isLastPass();
        count.takeOut(others);
        for (int i = 0; i < bins.length; i++) {
            bins[i] = count.within(bins[i]);
        }
        for (int i = 0; last && i < trimmed.length; i++) {
            above[i] = count.above(i, bins[trimmed[i]].low());
        }
        done = last;
    }

    /** One pass of one partition, for all that is searched in a series. */
    private static final class PassCounts implements Accumulator<PassCounts> {
        private final List<Count> all;

        PassCounts(List<RankSearch> searches) {
            all = searches.stream().map(RankSearch::count).toList();
        }

        @Override
        public void accept(long[] values, int count) {
            for (Count one : all) {
                one.accept(values, count);
            }
        }

        @Override
        public void add(PassCounts other) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).add(other.all.get(i));
            }
        }
    }

    /** The same for one search. */
    private static final class Count implements BlockConsumer {
        /** In the order of the values. */
        private final FineBins[] fine;

        private final long[] lows;
        private final Beyond[] beyond;

        Count(LogHistogram.Bin[] bins, int binBits, int... limits) {
            Map<Long, FineBins> distinct = new TreeMap<>();
            for (LogHistogram.Bin bin : bins) {
                distinct.computeIfAbsent(bin.low(), low -> new FineBins(bin, binBits));
            }
            fine = distinct.values().toArray(FineBins[]::new);
            lows = Arrays.stream(fine).mapToLong(one -> one.low).toArray();
            beyond = Arrays.stream(limits)
                    .mapToObj(place -> new Beyond(bins[place]))
                    .toArray(Beyond[]::new);
        }

        @Override
        public void accept(long[] values, int count) {
            if (fine.length <= FEW) {
                for (FineBins bins : fine) {
                    bins.accept(values, count);
                }
            } else {
                for (int i = 0; i < count; i++) {
                    int found = Arrays.binarySearch(lows, values[i]);
                    int last = found >= 0 ? found : -found - 2; // the bin that begins last before the value
                    if (last >= 0) {
                        fine[last].add(values[i], 1);
                    }
                }
            }
            for (Beyond limit : beyond) {
                limit.accept(values, count);
            }
        }

        void add(Count other) {
            for (int i = 0; i < fine.length; i++) {
                fine[i].add(other.fine[i]);
            }
            for (int i = 0; i < beyond.length; i++) {
                beyond[i].moments.add(other.beyond[i].moments);
            }
        }

        void takeOut(long... values) {
            for (FineBins bins : fine) {
                bins.takeOut(values);
            }
        }

        LogHistogram.Bin within(LogHistogram.Bin bin) {
            return of(bin.low()).of(bin.rankWithin());
        }

        /** What is greater than a value: in its bin, and beyond that. */
        ExactMoments above(int limit, long value) {
            of(beyond[limit].low).addAbove(value, beyond[limit].moments);
            return beyond[limit].moments;
        }

        private FineBins of(long low) {
            return fine[Arrays.binarySearch(lows, low)];
        }
    }

    /** The values of one bin, in finer ones. */
    private static final class FineBins implements BlockConsumer {
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

        @Override
        public void accept(long[] values, int count) {
            for (int i = 0; i < count; i++) {
                add(values[i], 1);
            }
        }

        void takeOut(long... values) {
            for (long value : values) {
                add(value, -1);
            }
        }

        void add(long value, int times) {
            long offset = value - low;
            if (offset >>> width == 0) {
                counts[(int) (offset >>> shift)] += times;
            }
        }

        void add(FineBins other) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += other.counts[i];
            }
        }

        LogHistogram.Bin of(long rankWithin) {
            long before = 0;
            int bin = 0;
            while (rankWithin - before >= counts[bin]) {
                before += counts[bin++];
            }
            return new LogHistogram.Bin(low + ((long) bin << shift), shift, rankWithin - before);
        }

        /** Adds what is greater than a value; the bins are 1 ns wide. */
        void addAbove(long value, ExactMoments moments) {
            for (int bin = (int) (value - low) + 1; bin < counts.length; bin++) {
                if (counts[bin] > 0) {
                    moments.add(low + bin, counts[bin]);
                }
            }
        }
    }

    /** The moments of the values beyond a bin. */
    private static final class Beyond implements BlockConsumer {
        private final long low;
        private final long last;
        private final long[] greater = new long[LongBlocks.BLOCK];
        private final ExactMoments moments = new ExactMoments();

        Beyond(LogHistogram.Bin bin) {
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
