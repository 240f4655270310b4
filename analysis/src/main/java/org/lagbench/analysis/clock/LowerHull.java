package org.lagbench.analysis.clock;

import java.util.Arrays;
import org.lagbench.analysis.statistics.Bisection;

/**
 * The lower convex hull of points added one by one in any order, after Andrew's monotone chain (1979). A point that is
 * not the last is inserted by binary search. Keeps only the corners, usually some dozens.
 *
 * <p>Adding a point takes a binary search, rarely more. Integer coordinates in ns below 2⁵³ are exact. Not thread-safe;
 * {@link #add} allocates only when the hull outgrows its arrays.
 */
final class LowerHull {
    private double[] x = new double[64];
    private double[] y = new double[64];
    private int size;

    void add(long wholeX, long wholeY) {
        double newX = wholeX;
        double newY = wholeY;
        int at = size == 0 || newX > x[size - 1] ? size : Arrays.binarySearch(x, 0, size, newX);
        if (at >= 0 && at < size) {
            if (newY >= y[at]) {
                return;
            }
            remove(at, at + 1);
        } else if (at < 0) {
            at = -at - 1;
            if (at > 0 && !isCorner(x[at - 1], y[at - 1], newX, newY, x[at], y[at])) {
                return;
            }
        }
        int from = at;
        while (from >= 2 && !isCorner(x[from - 2], y[from - 2], x[from - 1], y[from - 1], newX, newY)) {
            from--;
        }
        int until = at;
        while (until + 2 <= size && !isCorner(newX, newY, x[until], y[until], x[until + 1], y[until + 1])) {
            until++;
        }
        remove(from, until);
        insert(from, newX, newY);
    }

    /** Returns the corner touched by the highest line with this slope below all points. The hull must not be empty. */
    int touchedBy(double slope) {
        return (int) Bisection.first(0, size - 1L, corner -> {
            int at = (int) corner;
            return y[at + 1] - y[at] >= slope * (x[at + 1] - x[at]);
        });
    }

    double x(int corner) {
        return x[corner];
    }

    double y(int corner) {
        return y[corner];
    }

    /** Returns whether the middle of three points from left to right is below the line through the others. */
    private static boolean isCorner(double ax, double ay, double bx, double by, double cx, double cy) {
        return (bx - ax) * (cy - ay) > (by - ay) * (cx - ax);
    }

    private void remove(int from, int until) {
        System.arraycopy(x, until, x, from, size - until);
        System.arraycopy(y, until, y, from, size - until);
        size -= until - from;
    }

    private void insert(int at, double newX, double newY) {
        if (size == x.length) {
            x = Arrays.copyOf(x, 2 * size);
            y = Arrays.copyOf(y, 2 * size);
        }
        System.arraycopy(x, at, x, at + 1, size - at);
        System.arraycopy(y, at, y, at + 1, size - at);
        x[at] = newX;
        y[at] = newY;
        size++;
    }
}
