package org.lagbench.analysis.clock;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.lagbench.analysis.clock.OffsetEstimate.OffsetLine;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.clock.OffsetInterval;

/**
 * All offset lines that the stamps allow. Since delays are never negative, the offset is below every received − sent of
 * the forward path and above every replied − returned of the backward path. Only the hulls of these points matter
 * (Moon, Skelly and Towsley, "Estimation and Removal of Clock Skew from Network Delay Measurements", INFOCOM 1999, for
 * one direction). An allowed line differs from the truth by at most half a round trip: the asymmetry of the path.
 *
 * <p>No line is allowed if a clock was stepped or its rate changed much. Not thread-safe; add all points before the
 * first query.
 */
final class OffsetLines {
    private static final double MAX_SKEW = OffsetInterval.LARGEST_DRIFT_PPM / 1e6;

    /** The tolerance in ns: two stamps are compared, each truncated to ns. */
    private static final double RESOLUTION_NS = 2;

    private static final int BISECTIONS = 64;

    private final long originNs;
    private final long baseNs;
    private final LowerHull forward = new LowerHull();

    /** The backward points, mirrored so that their lower hull stands for the upper one. */
    private final LowerHull backward = new LowerHull();

    /**
     * Creates the lines of no points.
     *
     * @param originNs a time of the sender's clock near the stamps
     * @param baseNs an offset near theirs
     */
    OffsetLines(long originNs, long baseNs) {
        this.originNs = originNs;
        this.baseNs = baseNs;
    }

    /** Returns the lines that the exchanges allow. */
    static OffsetLines of(TwoWayStamps stamps) {
        OffsetInterval.TwoWayExchange first = stamps.exchanges().get(0);
        OffsetLines lines = new OffsetLines(first.sentNs(), first.upperNs());
        stamps.exchanges().forEach(lines::add);
        return lines;
    }

    /** Adds both directions of an exchange. */
    void add(OffsetInterval.TwoWayExchange exchange) {
        addForward(exchange.sentNs(), exchange.upperNs());
        addBackward(exchange.returnedNs(), exchange.lowerNs());
    }

    /** Adds a point of the forward path: received − sent. */
    void addForward(long sentNs, long forwardNs) {
        forward.add(sentNs - originNs, forwardNs - baseNs);
    }

    /** Adds a point of the backward path: replied − returned. */
    void addBackward(long returnedNs, long backwardNs) {
        backward.add(returnedNs - originNs, baseNs - backwardNs);
    }

    /** Returns whether the stamps allow no line. */
    boolean isEmpty() {
        return !hasRoom(widestSkew());
    }

    /**
     * Returns the line with the slope of the two parallel lines that are farthest apart, halfway between the lines of
     * {@code others}, which contain fewer points or the same ones. If that line is not allowed, returns the nearest one
     * that is.
     */
    OffsetLine middleBetween(OffsetLines others) {
        double skew = widestSkew();
        double middle = (others.highest(skew) + others.lowest(skew)) / 2;
        double restNs = Math.max(lowest(skew), Math.min(highest(skew), middle));
        return new OffsetLine(originNs, baseNs, restNs, skew);
    }

    /** Returns the smallest skew of an allowed line. */
    double minSkew() {
        return lastWithRoom(-MAX_SKEW);
    }

    /** Returns the largest skew of an allowed line. */
    double maxSkew() {
        return lastWithRoom(MAX_SKEW);
    }

    /** Returns the largest distance of an allowed line from another line, in ns, at a time of the sender's clock. */
    double distanceAt(OffsetLine line, long senderNs) {
        double at = senderNs - originNs;
        double min = minSkew();
        double max = maxSkew();
        double upper = maxAt(skew -> at - touchedForward(skew), min, max);
        double lower = maxAt(skew -> touchedBackward(skew) - at, min, max);
        double offset = line.baseNs() - baseNs + line.restNs() + line.skew() * (senderNs - line.originNs());
        return Math.max(highest(upper) + upper * at - offset, offset - lowest(lower) - lower * at);
    }

    /**
     * How much the offset changed since earlier lines.
     *
     * @param ns by the middles of both, if the clocks kept one rate
     * @param leastNs the smallest change, over the rates that the stamps of both allow
     * @param greatestNs the largest change
     */
    record Gain(double ns, double leastNs, double greatestNs) {}

    /** Returns how much the offset changed since earlier lines with the same origin. */
    Gain gainOn(OffsetLines earlier) {
        double middle = maxAt(
                slope -> touchedBackward(slope)
                        - touchedForward(slope)
                        + earlier.touchedBackward(slope)
                        - earlier.touchedForward(slope),
                -MAX_SKEW,
                MAX_SKEW);
        double from = Math.max(minSkew(), earlier.minSkew());
        double to = Math.max(from, Math.min(maxSkew(), earlier.maxSkew()));
        double min = maxAt(slope -> touchedBackward(slope) - earlier.touchedForward(slope), from, to);
        double max = maxAt(slope -> earlier.touchedBackward(slope) - touchedForward(slope), from, to);
        return new Gain(
                (highest(middle) + lowest(middle) - earlier.highest(middle) - earlier.lowest(middle)) / 2,
                lowest(min) - earlier.highest(min),
                highest(max) - earlier.lowest(max));
    }

    private double widestSkew() {
        return maxAt(skew -> touchedBackward(skew) - touchedForward(skew), -MAX_SKEW, MAX_SKEW);
    }

    /** Returns the allowed skew nearest to a limit. Some skew must be allowed. */
    private double lastWithRoom(double limit) {
        double with = widestSkew();
        double without = limit;
        if (hasRoom(limit)) {
            return limit;
        }
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (with + without) / 2;
            if (hasRoom(middle)) {
                with = middle;
            } else {
                without = middle;
            }
        }
        return with;
    }

    /** Returns where a concave function is largest, by bisecting its derivative. */
    private static double maxAt(DoubleUnaryOperator derivative, double from, double to) {
        double low = from;
        double high = to;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            double slope = derivative.applyAsDouble(middle);
            if (slope == 0) {
                return middle;
            } else if (slope > 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** Returns whether a line with this slope fits below the forward and above the backward points. */
    private boolean hasRoom(double skew) {
        return highest(skew) - lowest(skew) >= -RESOLUTION_NS;
    }

    /** Returns the offset at the origin of the highest line with this slope below the forward points. */
    private double highest(double skew) {
        int corner = forward.touchedBy(skew);
        return forward.y(corner) - skew * forward.x(corner);
    }

    /** Returns the offset at the origin of the lowest line with this slope above the backward points. */
    private double lowest(double skew) {
        int corner = backward.touchedBy(-skew);
        return -backward.y(corner) - skew * backward.x(corner);
    }

    private double touchedForward(double skew) {
        return forward.x(forward.touchedBy(skew));
    }

    private double touchedBackward(double skew) {
        return backward.x(backward.touchedBy(-skew));
    }

    /**
     * The lower convex hull of points added one by one in any order, after Andrew's monotone chain (1979). A point that
     * is not the last is inserted by binary search. Keeps only the corners, usually several dozens.
     *
     * <p>Adding a point takes a binary search, rarely more. Integer coordinates in ns below 2⁵³ are exact. Not
     * thread-safe; {@link #add} allocates only when the hull outgrows its arrays.
     */
    static final class LowerHull {
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

        /**
         * Returns the corner touched by the highest line with this slope below all points. The hull must not be empty.
         */
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
}
