package org.lagbench.analysis.forecast;

import java.util.Arrays;

/** The newest values of a series, in the order of time and in ascending order. */
final class ValueWindow {
    private final double[] ring;
    private final double[] sorted;
    private int next;
    private int count;

    /** @param size number of values in the window */
    ValueWindow(int size) {
        ring = new double[size];
        sorted = new double[size];
    }

    /** Adds a value; the oldest leaves if the window is full. */
    void add(double value) {
        if (count == ring.length) {
            int gap = Arrays.binarySearch(sorted, 0, count, ring[next]);
            System.arraycopy(sorted, gap + 1, sorted, gap, count - gap - 1);
            count--;
        }
        int found = Arrays.binarySearch(sorted, 0, count, value);
        int place = found < 0 ? -found - 1 : found;
        System.arraycopy(sorted, place, sorted, place + 1, count - place);
        sorted[place] = value;
        ring[next] = value;
        next = next + 1 == ring.length ? 0 : next + 1;
        count++;
    }

    /** Forgets all but the newest values. */
    void keep(int newest) {
        double[] kept = newest(newest);
        System.arraycopy(kept, 0, sorted, 0, kept.length);
        count = kept.length;
    }

    /** Returns the newest values in ascending order; fewer if the window has fewer. */
    double[] newest(int most) {
        double[] values = new double[Math.min(most, count)];
        for (int i = 0; i < values.length; i++) {
            values[i] = ring[Math.floorMod(next - 1 - i, ring.length)];
        }
        Arrays.sort(values);
        return values;
    }

    /** Returns how many values are in the window. */
    int count() {
        return count;
    }

    /** Returns the value with this rank, from 0. */
    double at(int rank) {
        return sorted[rank];
    }

    /** Returns the median: of an even number of values, the mean of the two in the middle. */
    double median() {
        return median(sorted, count);
    }

    /** Returns the median of the newest values. */
    double median(int newest) {
        double[] values = newest(newest);
        return median(values, values.length);
    }

    private static double median(double[] sorted, int count) {
        int middle = count / 2;
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the mean without the lowest and the highest 30 %, each rounded down to a number of values. */
    double trimmedMean() {
        int cut = 3 * count / 10;
        double sum = 0;
        for (int i = cut; i < count - cut; i++) {
            sum += sorted[i];
        }
        return sum / (count - 2 * cut);
    }

    /** Returns a quantile by estimator R-7 of a window that is not empty. */
    double quantile(double probability) {
        double h = (count - 1) * probability;
        int below = (int) h;
        int above = Math.min(below + 1, count - 1);
        return sorted[below] + (h - below) * (sorted[above] - sorted[below]);
    }
}
