package org.lagbench.analysis.forecast;

import java.util.Arrays;

/** The newest values of a series. */
final class ValueWindow {
    private final double[] ring;
    private int next;
    private int count;

    /** @param size number of values in the window */
    ValueWindow(int size) {
        ring = new double[size];
    }

    /** Adds a value; removes the oldest if the window is full. */
    void add(double value) {
        ring[next] = value;
        next = next + 1 == ring.length ? 0 : next + 1;
        count = Math.min(count + 1, ring.length);
    }

    /** Removes all but the newest values. The window must have that many or more. */
    void keep(int newest) {
        count = newest;
    }

    /** Returns how many values are in the window. */
    int count() {
        return count;
    }

    /** Returns the newest values in ascending order; fewer if the window has fewer. */
    double[] sorted(int max) {
        int size = Math.min(max, count);
        int fromEnd = Math.max(0, size - next);
        double[] values = new double[size];
        System.arraycopy(ring, ring.length - fromEnd, values, 0, fromEnd);
        System.arraycopy(ring, next - (size - fromEnd), values, fromEnd, size - fromEnd);
        Arrays.sort(values);
        return values;
    }

    /** Returns quantiles of the newest values by estimator R-7; NaN without values. */
    double[] quantiles(int max, double... probabilities) {
        double[] sorted = sorted(max);
        int last = sorted.length - 1;
        return Arrays.stream(probabilities)
                .map(probability -> {
                    double h = last * probability;
                    int below = (int) h;
                    return last < 0
                            ? Double.NaN
                            : sorted[below] + (h - below) * (sorted[Math.min(below + 1, last)] - sorted[below]);
                })
                .toArray();
    }

    /** Returns the median of the newest values: of an even number, the mean of the two in the middle. */
    double median(int max) {
        double[] sorted = sorted(max);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the mean of the newest values without the lowest and the highest 30 %, each rounded down to a number. */
    double trimmedMean(int max) {
        double[] sorted = sorted(max);
        int cut = 3 * sorted.length / 10;
        double sum = 0;
        for (int i = cut; i < sorted.length - cut; i++) {
            sum += sorted[i];
        }
        return sum / (sorted.length - 2 * cut);
    }
}
