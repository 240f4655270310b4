package org.lagbench.analysis.statistics;

import org.jspecify.annotations.Nullable;

/**
 * Values of any size counted in bins that are the wider the farther from 0: 1 ns up to ±{@value #STEPS}, 2 ns up to
 * twice that, and so on, {@value #STEPS} bins an octave, so that the least and the greatest value need not be known
 * before. Takes 16 KiB for each octave that has values. Not thread-safe.
 */
final class LogHistogram implements BlockConsumer {
    private static final int STEP_BITS = 11;
    private static final int STEPS = 1 << STEP_BITS;
    private static final int OCTAVES = Long.SIZE - STEP_BITS;

    /** Rows from the most negative octave to the most positive, null where there was no value. */
    private final long[] @Nullable [] rows = new long[2 * OCTAVES] @Nullable [];

    @Override
    public void accept(long[] values, int count) {
        count(values, count, 1);
    }

    /** Takes out values that were counted. */
    void takeOut(long... values) {
        count(values, values.length, -1);
    }

    private void count(long[] values, int count, int times) {
        for (int i = 0; i < count; i++) {
            long value = values[i];
            // −1 counts as 0 does, on the other side
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

    /** Takes in what others counted. */
    void add(LogHistogram other) {
        for (int row = 0; row < rows.length; row++) {
            long[] theirs = other.rows[row];
            if (theirs != null) {
                long[] ours = rows[row];
                if (ours == null) {
                    rows[row] = theirs.clone();
                } else {
                    for (int step = 0; step < STEPS; step++) {
                        ours[step] += theirs[step];
                    }
                }
            }
        }
    }

    /** The bin that holds the value which would stand at an index if all were sorted. */
    Bin of(long rank) {
        long before = 0;
        for (int row = 0; row < rows.length; row++) {
            long[] counts = rows[row];
            if (counts != null) {
                for (int step = 0; step < STEPS; step++) {
                    if (rank - before < counts[step]) {
                        return bin(row, step, rank - before);
                    }
                    before += counts[step];
                }
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

    /** 0 of sizes below {@value #STEPS}, then one more with each doubling. */
    private static int octave(long size) {
        return Long.SIZE - STEP_BITS - Long.numberOfLeadingZeros(size | (STEPS - 1));
    }

    private static int shift(int octave) {
        return Math.max(0, octave - 1);
    }

    /**
     * Where a value is.
     *
     * @param low the least that it can be
     * @param width it is less than 2^width greater
     * @param rankWithin its index among the sorted values of the bin
     */
    record Bin(long low, int width, long rankWithin) {}
}
