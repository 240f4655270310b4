package org.lagbench.analysis.forecast;

import java.util.Arrays;

/**
 * Sums over the newest values of several series that advance together. Nothing is ever subtracted, so a large value
 * leaves no rounding error behind when it leaves the window. A value costs two additions on average.
 *
 * <p>Values arrive in blocks as long as the window. A sum is the sum of the current block so far plus the suffix of the
 * previous block that is still in the window; the suffixes are summed when a block is complete.
 */
final class SlidingSums {
    private final int series;

    /** For each place and series: the value if the current block has reached the place, else a suffix sum. */
    private final double[] slots;

    private final double[] block;
    private int place;

    SlidingSums(int series, int window) {
        this.series = series;
        // the last place, after the window, stays 0: the sum of the empty suffix
        slots = new double[series * (window + 1)];
        block = new double[series];
    }

    /** Adds a value of each series; removes the oldest if the window is full. */
    void add(double... values) {
        int end = slots.length - series;
        if (place == end) {
            for (int i = end - series - 1; i >= 0; i--) {
                slots[i] += slots[i + series];
            }
            Arrays.fill(block, 0);
            place = 0;
        }
        System.arraycopy(values, 0, slots, place, series);
        place += series;
        for (int j = 0; j < series; j++) {
            block[j] += values[j];
        }
    }

    /** Returns the sum of a series over the values in the window. */
    double sum(int index) {
        return block[index] + slots[place + index];
    }

    /** Writes the sums of all series into an array. */
    void sums(double[] sums) {
        for (int i = 0; i < series; i++) {
            sums[i] = block[i] + slots[place + i];
        }
    }
}
