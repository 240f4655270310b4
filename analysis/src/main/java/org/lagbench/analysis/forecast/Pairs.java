package org.lagbench.analysis.forecast;

import java.util.Arrays;

/**
 * The pairs of two series, in the order of time: two values that are each the nearest in time to the other. A value is
 * in one pair at most. Pairs with a missing value are left out.
 *
 * @param first the first series' value of each pair, as its index
 * @param second the second series' value of each pair, as its index
 */
@SuppressWarnings("ArrayRecordComponent") // millions of numbers, never compared
record Pairs(int[] first, int[] second) {
    static Pairs of(TimedSeries a, TimedSeries b) {
        // of two equally near values, one series selects the earlier and the other the later, so that ties form pairs
        int[] nearestInB = nearest(a.times(), b.times(), false);
        int[] nearestInA = nearest(b.times(), a.times(), true);
        int[] first = new int[Math.min(a.size(), b.size())];
        int[] second = new int[first.length];
        int count = 0;
        for (int i = 0; i < a.size(); i++) {
            int j = nearestInB[i];
            if (nearestInA[j] == i && !Double.isNaN(a.values()[i]) && !Double.isNaN(b.values()[j])) {
                first[count] = i;
                second[count++] = j;
            }
        }
        return new Pairs(Arrays.copyOf(first, count), Arrays.copyOf(second, count));
    }

    /** Returns the index of the nearest time among others, for each time. */
    private static int[] nearest(double[] times, double[] others, boolean isLater) {
        int[] nearest = new int[times.length];
        int next = 0;
        for (int i = 0; i < times.length; i++) {
            while (next < others.length && others[next] < times[i]) {
                next++;
            }
            if (next == 0) {
                nearest[i] = 0;
            } else if (next == others.length) {
                nearest[i] = next - 1;
            } else {
                double before = times[i] - others[next - 1];
                double after = others[next] - times[i];
                nearest[i] = before < after || (before == after && !isLater) ? next - 1 : next;
            }
        }
        return nearest;
    }
}
