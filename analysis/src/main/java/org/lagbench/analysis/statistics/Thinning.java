package org.lagbench.analysis.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Thins the points of a curve: divides the range of x into columns of equal width and keeps the first, smallest,
 * largest and last point of each. If a column is at most a pixel wide, a line through these covers the same pixels as
 * one through all points (Jugel, Jerzak, Hackenbroich and Markl, "M4: A Visualization-Oriented Time Series Data
 * Aggregation", VLDB 2014).
 *
 * <p>Points may be in any order; of equal values in a column the first accepted is kept. Takes 96 bytes per column. Not
 * thread-safe; {@link #accept} allocates nothing.
 */
public final class Thinning {
    /** The offsets of a column's points, each an x, a y and a packet number. */
    private static final int FIRST = 0;

    private static final int MIN = 3;
    private static final int MAX = 6;
    private static final int LAST = 9;
    private static final int LONGS = 12;

    private final long fromX;
    private final long toX;
    private final double columnsPerX;
    private final long[] kept;
    private final boolean[] used;
    private long accepted;

    /**
     * Creates a thinning of the points with {@code fromX} ≤ x ≤ {@code toX}; others are skipped.
     *
     * @param columns at least 1
     */
    public Thinning(long fromX, long toX, int columns) {
        if (toX < fromX || columns < 1) {
            throw new IllegalArgumentException(
                    "a curve from " + fromX + " to " + toX + " cannot have " + columns + " columns");
        }
        this.fromX = fromX;
        this.toX = toX;
        this.columnsPerX = columns / ((double) (toX - fromX) + 1);
        this.kept = new long[columns * LONGS];
        this.used = new boolean[columns];
    }

    /** Accepts the next point of a curve that is not of packets. */
    public void accept(long x, long y) {
        accept(-1, x, y);
    }

    /** Accepts the next point, which belongs to a packet. */
    public void accept(long packet, long x, long y) {
        if (x < fromX || x > toX) {
            return;
        }
        accepted++;
        int column = Math.min(used.length - 1, (int) ((double) (x - fromX) * columnsPerX));
        int at = column * LONGS;
        boolean isFirst = !used[column];
        used[column] = true;
        if (isFirst || x < kept[at + FIRST]) {
            keep(at + FIRST, packet, x, y);
        }
        if (isFirst || y < kept[at + MIN + 1]) {
            keep(at + MIN, packet, x, y);
        }
        if (isFirst || y > kept[at + MAX + 1]) {
            keep(at + MAX, packet, x, y);
        }
        if (isFirst || x >= kept[at + LAST]) {
            keep(at + LAST, packet, x, y);
        }
    }

    /** Returns the points kept so far. */
    public Curve curve() {
        int capacity = used.length * LONGS / MIN;
        long[] packets = new long[capacity];
        long[] x = new long[capacity];
        long[] y = new long[capacity];
        int size = 0;
        for (int column = 0; column < used.length; column++) {
            if (used[column]) {
                int begin = size;
                int at = column * LONGS;
                boolean minFirst = kept[at + MIN] <= kept[at + MAX];
                int[] inOrder = {FIRST, minFirst ? MIN : MAX, minFirst ? MAX : MIN, LAST};
                for (int point : inOrder) {
                    x[size] = kept[at + point];
                    y[size] = kept[at + point + 1];
                    packets[size] = kept[at + point + 2];
                    if (isNew(x, y, begin, size)) {
                        size++;
                    }
                }
            }
        }
        return new Curve(Arrays.copyOf(packets, size), Arrays.copyOf(x, size), Arrays.copyOf(y, size), accepted);
    }

    /** Returns whether a point differs from the earlier points of its column. */
    private static boolean isNew(long[] x, long[] y, int first, int last) {
        return IntStream.range(first, last).noneMatch(i -> x[i] == x[last] && y[i] == y[last]);
    }

    private void keep(int at, long packet, long x, long y) {
        kept[at] = x;
        kept[at + 1] = y;
        kept[at + 2] = packet;
    }

    /**
     * The points of a thinned curve, in the order of x.
     *
     * @param packets the packet of each point, or −1
     * @param x packet numbers or ns, depending on the curve
     * @param y ns or another unit, depending on the curve
     * @param thinnedFrom the number of points before thinning
     */
    @SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
    public record Curve(long[] packets, long[] x, long[] y, long thinnedFrom) {
        /** Returns the number of points. */
        public int size() {
            return x.length;
        }

        /** Returns the number of the packet of a point; −1 if the curve is not of packets. */
        public long packet(int point) {
            return packets[point];
        }

        /** Returns the x of a point: a packet number or ns, depending on the curve. */
        public long x(int point) {
            return x[point];
        }

        /** Returns the y of a point: ns or another unit, depending on the curve. */
        public long y(int point) {
            return y[point];
        }

        /** Returns the smallest y, which thinning keeps; {@link Long#MAX_VALUE} if there is no point. */
        public long minY() {
            return Arrays.stream(y).min().orElse(Long.MAX_VALUE);
        }

        /** Returns the largest y, which thinning keeps; {@link Long#MIN_VALUE} if there is no point. */
        public long maxY() {
            return Arrays.stream(y).max().orElse(Long.MIN_VALUE);
        }
    }
}
