package org.lagbench.analysis.forecast;

/** The newest values of a series. */
final class RecentValues {
    private final double[] ring;
    private final int mask;
    private int next;
    private int size;

    /** Creates a buffer that remembers at least {@code capacity} values. */
    RecentValues(int capacity) {
        ring = new double[Integer.highestOneBit(2 * capacity - 1)];
        mask = ring.length - 1;
    }

    void add(double value) {
        ring[next] = value;
        next = (next + 1) & mask;
        size = Math.min(size + 1, ring.length);
    }

    /** Returns a value; 0 is the newest. */
    double back(int age) {
        return ring[(next - 1 - age) & mask];
    }

    /** Returns how many values are remembered. */
    int size() {
        return size;
    }

    /** Forgets all but the newest values. */
    void keep(int newest) {
        size = Math.min(size, newest);
    }
}
