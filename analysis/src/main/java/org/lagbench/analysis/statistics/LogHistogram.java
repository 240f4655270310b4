package org.lagbench.analysis.statistics;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.LongBlocks.BlockConsumer;

/**
 * A histogram of long values of any size. Bins are 1 ns wide up to ±{@value #STEPS}, 2 ns up to twice that, and so on:
 * {@value #STEPS} bins per octave. Takes 16 KiB for each octave that has values. Not thread-safe.
 */
final class LogHistogram implements BlockConsumer {
    private static final int STEP_BITS = 11;
    private static final int STEPS = 1 << STEP_BITS;
    private static final int OCTAVES = Long.SIZE - STEP_BITS;

    /** The counts: one row per octave, from the most negative to the most positive; null if the octave has no value. */
    private final long[] @Nullable [] rows = new long[2 * OCTAVES] @Nullable [];

    @Override
    public void accept(long[] values, int count) {
        count(values, count, 1);
    }

    /** Counts each value {@code times} times; −1 removes it. */
    void count(long[] values, int count, int times) {
        for (int i = 0; i < count; i++) {
            long value = values[i];
            // negative values mirror the others: −1 mirrors 0, −2 mirrors 1, and so on
            long sign = value >> (Long.SIZE - 1);
            long size = value ^ sign;
            int octave = octave(size);
            int step = (int) (size >>> shift(octave)) & (STEPS - 1);
            int row = OCTAVES + (octave ^ (int) sign);
            long[] counts = rows[row];
            if (counts == null) {
                counts = new long[STEPS];
                rows[row] = counts;
            }
            counts[step ^ ((int) sign & (STEPS - 1))] += times;
        }
    }

    void add(LogHistogram other) {
        for (int row = 0; row < rows.length; row++) {
            long[] theirs = other.rows[row];
            long[] ours = rows[row];
            if (theirs != null && ours != null) {
                for (int step = 0; step < STEPS; step++) {
                    ours[step] += theirs[step];
                }
            } else if (theirs != null) {
                rows[row] = theirs.clone();
            }
        }
    }

    /** Returns the bin of the value with this index among all sorted values. */
    Bin of(long rank) {
        long before = 0;
        for (int row = 0; row < rows.length; row++) {
            long[] counts = rows[row];
            for (int step = 0; counts != null && step < STEPS; step++) {
                if (rank - before < counts[step]) {
                    return bin(row, step, rank - before);
                }
                before += counts[step];
            }
        }
        throw new IllegalArgumentException("there are " + before + " values, none of rank " + rank);
    }

    private static Bin bin(int row, int step, long rankWithin) {
        boolean negative = row < OCTAVES;
        int octave = negative ? OCTAVES - 1 - row : row - OCTAVES;
        int shift = shift(octave);
        long top = octave == 0 ? 0 : STEPS;
        long size = (top + (negative ? STEPS - 1 - step : step)) << shift;
        long low = negative ? ~(size + (1L << shift) - 1) : size;
        return new Bin(low, shift, rankWithin);
    }

    /** Returns 0 for sizes below {@value #STEPS}, and one more for each doubling. */
    private static int octave(long size) {
        return Long.SIZE - STEP_BITS - Long.numberOfLeadingZeros(size | (STEPS - 1));
    }

    private static int shift(int octave) {
        return Math.max(0, octave - 1);
    }

    /**
     * A bin and a value in it.
     *
     * @param low the smallest value of the bin
     * @param width log₂ of the number of values that the bin spans
     * @param rankWithin the value's index among the sorted values of the bin
     */
    record Bin(long low, int width, long rankWithin) {}
}
