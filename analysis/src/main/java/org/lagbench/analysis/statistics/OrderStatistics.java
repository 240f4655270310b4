package org.lagbench.analysis.statistics;

import java.util.Arrays;
import org.lagbench.core.failure.LagbenchException;

/**
 * Exact order statistics without sorting and without keeping the values: the range between the least and the greatest
 * value is counted into bins, then the bins that hold the wanted ranks are counted into finer bins, until a bin is one
 * value. Each pass settles {@value #BIN_BITS} bits, so that values within 0.27 s of each other take two passes and any
 * take five. Memory is 128 KiB a wanted rank, however many values there are. Where more than {@value #FEW} ranks are
 * wanted a pass settles {@value #MANY_BIN_BITS} bits and takes 8 KiB a rank.
 */
final class OrderStatistics {
    private static final int BIN_BITS = 14;
    private static final int MANY_BIN_BITS = 10;
    private static final int FEW = 16;

    private OrderStatistics() {}

    /**
     * The values that would stand at these indices if all were sorted.
     *
     * @param minimum the least value
     * @param maximum the greatest value
     * @param ranks indices from 0, less than the number of values, in any order
     * @return the values, in the order of the ranks
     */
    static long[] select(LongValues values, long minimum, long maximum, long[] ranks) throws LagbenchException {
        // maximum − minimum as an unsigned number: right even where the difference is more than a long holds
        int width = Long.SIZE - Long.numberOfLeadingZeros(maximum - minimum);
        long[] low = new long[ranks.length];
        Arrays.fill(low, minimum);
        long[] rankWithin = ranks.clone();
        int binBits = ranks.length > FEW ? MANY_BIN_BITS : BIN_BITS;
        while (width > 0) {
            int shift = Math.max(0, width - binBits);
            long[] distinct = Arrays.stream(low).sorted().distinct().toArray();
            Bins[] intervals = new Bins[distinct.length];
            for (int i = 0; i < distinct.length; i++) {
                intervals[i] = new Bins(distinct[i], width, shift);
            }
            count(values, intervals, distinct);
            for (int i = 0; i < ranks.length; i++) {
                Bins bins = intervals[Arrays.binarySearch(distinct, low[i])];
                int bin = 0;
                while (rankWithin[i] >= bins.counts[bin]) {
                    rankWithin[i] -= bins.counts[bin++];
                }
                low[i] += (long) bin << shift;
            }
            width = shift;
        }
        return low;
    }

    private static void count(LongValues values, Bins[] intervals, long[] lows) throws LagbenchException {
        if (intervals.length == 1) {
            values.forEach(intervals[0]::count);
        } else if (intervals.length <= FEW) {
            values.forEach(value -> {
                for (Bins bins : intervals) {
                    bins.count(value);
                }
            });
        } else {
            values.forEach(value -> {
                int found = Arrays.binarySearch(lows, value);
                int interval = found >= 0 ? found : -found - 2; // the one that begins last before the value
                if (interval >= 0) {
                    intervals[interval].count(value);
                }
            });
        }
    }

    /** The values of an interval that is 2^width wide, counted in bins that are 2^shift wide. */
    private static final class Bins {
        private final long low;
        private final int width;
        private final int shift;
        private final long[] counts;

        Bins(long low, int width, int shift) {
            this.low = low;
            this.width = width;
            this.shift = shift;
            this.counts = new long[1 << (width - shift)];
        }

        void count(long value) {
            long offset = value - low;
            if (width == Long.SIZE || offset >>> width == 0) {
                counts[(int) (offset >>> shift)]++;
            }
        }
    }
}
