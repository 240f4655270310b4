package org.lagbench.analysis.curve;

import java.util.Arrays;

/**
 * Thins the points of a curve as they pass: the range of x is cut into columns of equal width, and of each column the
 * first, the least, the greatest and the last point are kept. A line through these covers the same pixels as one
 * through all points, if a column is a pixel wide or less (Jugel, Jerzak, Hackenbroich and Markl, "M4: A
 * Visualization-Oriented Time Series Data Aggregation", VLDB 2014). No extreme value is ever lost, and a column of up
 * to four points loses none if they are apart.
 *
 * <p>Points may come in any order; of equal values in a column the first one to come is kept. Memory is 64 bytes a
 * column, however many points there are. Not thread-safe; {@link #accept} allocates nothing.
 */
public final class Thinning implements PointConsumer {
    /** Where the x and y of a column's points are, of {@value #LONGS} longs a column. */
    private static final int FIRST = 0;

    private static final int LEAST = 2;
    private static final int GREATEST = 4;
    private static final int LAST = 6;
    private static final int LONGS = 8;

    private final long fromX;
    private final long toX;
    private final double columnsPerX;
    private final long[] kept;
    private final boolean[] used;
    private long accepted;

    /**
     * Of the points with {@code fromX} ≤ x ≤ {@code toX}; others are skipped.
     *
     * @param columns how many, at least 1
     */
    public Thinning(long fromX, long toX, int columns) {
        if (toX < fromX || columns < 1) {
            throw new IllegalArgumentException(columns + " columns from " + fromX + " to " + toX);
        }
        this.fromX = fromX;
        this.toX = toX;
        this.columnsPerX = columns / ((double) (toX - fromX) + 1);
        this.kept = new long[columns * LONGS];
        this.used = new boolean[columns];
    }

    @Override
    public void accept(long x, long y) {
        if (x < fromX || x > toX) {
            return;
        }
        accepted++;
        int column = Math.min(used.length - 1, (int) ((double) (x - fromX) * columnsPerX));
        int at = column * LONGS;
        if (!used[column]) {
            used[column] = true;
            for (int point = FIRST; point < LONGS; point += 2) {
                keep(at + point, x, y);
            }
            return;
        }
        if (x < kept[at + FIRST]) {
            keep(at + FIRST, x, y);
        }
        if (y < kept[at + LEAST + 1]) {
            keep(at + LEAST, x, y);
        }
        if (y > kept[at + GREATEST + 1]) {
            keep(at + GREATEST, x, y);
        }
        if (x >= kept[at + LAST]) {
            keep(at + LAST, x, y);
        }
    }

    /** What is left of the points so far. */
    public Curve curve() {
        int room = used.length * LONGS / 2;
        long[] x = new long[room];
        long[] y = new long[room];
        int size = 0;
        for (int column = 0; column < used.length; column++) {
            if (used[column]) {
                int begin = size;
                int at = column * LONGS;
                boolean leastFirst = kept[at + LEAST] <= kept[at + GREATEST];
                int[] inOrder = {FIRST, leastFirst ? LEAST : GREATEST, leastFirst ? GREATEST : LEAST, LAST};
                for (int point : inOrder) {
                    x[size] = kept[at + point];
                    y[size] = kept[at + point + 1];
                    if (isNew(x, y, begin, size)) {
                        size++;
                    }
                }
            }
        }
        return new Curve(Arrays.copyOf(x, size), Arrays.copyOf(y, size), accepted);
    }

    /** Whether the last of some points is none of those before it. */
    private static boolean isNew(long[] x, long[] y, int first, int last) {
        for (int i = first; i < last; i++) {
            if (x[i] == x[last] && y[i] == y[last]) {
                return false;
            }
        }
        return true;
    }

    private void keep(int at, long x, long y) {
        kept[at] = x;
        kept[at + 1] = y;
    }
}
