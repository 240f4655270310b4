package org.lagbench.analysis.forecast;

/**
 * The newest values of a series in ascending order. A value costs two binary searches and one block move of at most the
 * window, which for windows up to some hundred values is faster than a tree.
 */
final class SortedWindow {
    private final RecentValues recent;
    private final double[] sorted;
    private int size;
    private int count;

    /**
     * Creates a window.
     *
     * @param recent the series, which must remember one value more than the window
     * @param size number of values in the window
     * @param greatestSize the greatest size to which it is resized
     */
    SortedWindow(RecentValues recent, int size, int greatestSize) {
        this.recent = recent;
        this.size = size;
        this.sorted = new double[greatestSize];
    }

    SortedWindow(RecentValues recent, int size) {
        this(recent, size, size);
    }

    /** Adds the newest value of the series, and drops the one that leaves the window. */
    void slide() {
        double newest = recent.back(0);
        int to;
        int gap;
        if (count < size) {
            to = place(newest);
            gap = count++;
        } else { // as place() does, both searches at once
            double oldest = recent.back(size);
            to = 0;
            gap = 0;
            for (int length = count; length > 1; ) {
                int half = length >>> 1;
                to += half & lessMask(sorted[to + half - 1], newest);
                gap += half & lessMask(sorted[gap + half - 1], oldest);
                length -= half;
            }
            to -= lessMask(sorted[to], newest);
            gap -= lessMask(sorted[gap], oldest);
        }
        if (to > gap) {
            System.arraycopy(sorted, gap + 1, sorted, gap, to - gap - 1);
            sorted[to - 1] = newest;
        } else {
            System.arraycopy(sorted, to, sorted, to + 1, gap - to);
            sorted[to] = newest;
        }
    }

    /** Changes the size of the window; older values of the series join, or leave. */
    void resize(int newSize) {
        size = newSize;
        while (count > size) {
            int gap = place(recent.back(count - 1));
            System.arraycopy(sorted, gap + 1, sorted, gap, count - gap - 1);
            count--;
        }
        while (count < size && count < recent.size()) {
            double older = recent.back(count);
            int to = place(older);
            System.arraycopy(sorted, to, sorted, to + 1, count - to);
            sorted[to] = older;
            count++;
        }
    }

    /** Copies the size and values of another window of the same series. */
    void copy(SortedWindow other) {
        size = other.size;
        count = other.count;
        System.arraycopy(other.sorted, 0, sorted, 0, count);
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
        int middle = count / 2;
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the mean without the least and the greatest 30 %, each rounded down to a number of values. */
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

    /**
     * Returns the rank of the first value that is not less. Without branches, which would be mispredicted: the sign of
     * a difference, as a mask, selects the half.
     */
    private int place(double value) {
        int from = 0;
        int length = count;
        while (length > 1) {
            int half = length >>> 1;
            from += half & lessMask(sorted[from + half - 1], value);
            length -= half;
        }
        return from - (length == 1 ? lessMask(sorted[from], value) : 0);
    }

    /** Returns −1 if a < b, else 0. */
    private static int lessMask(double a, double b) {
        return (int) (Double.doubleToRawLongBits(a - b) >> (Long.SIZE - 1));
    }
}
