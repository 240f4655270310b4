package org.lagbench.analysis.clock;

import java.util.function.DoubleUnaryOperator;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.clock.TwoWayExchange;

/**
 * All lines that the offset of the clocks can be, by stamps: delays are never negative, so that the offset lies below
 * every received − sent of the way there and above every replied − returned of the way back. Of the points only the
 * hulls matter (Moon, Skelly and Towsley, "Estimation and Removal of Clock Skew from Network Delay Measurements",
 * INFOCOM 1999, for one way). That a line can differ from the truth by half a round trip, and no more, is the asymmetry
 * of the path.
 *
 * <p>There is no such line if a clock was set in between or its rate changed by much. Not thread-safe; points come
 * first, questions after.
 */
final class OffsetLines {
    private static final double GREATEST_SKEW = OffsetInterval.LARGEST_DRIFT_PPM / 1e6;

    /** Stamps are cut to whole ns, and two of them are compared. */
    private static final double RESOLUTION_NS = 2;

    private static final int BISECTIONS = 64;

    private final long originNs;
    private final long baseNs;
    private final LowerHull forward = new LowerHull();

    /** Upside down, for the upper hull. */
    private final LowerHull backward = new LowerHull();

    /**
     * With no point yet.
     *
     * @param originNs a time of the sender's clock near the stamps
     * @param baseNs an offset near theirs
     */
    OffsetLines(long originNs, long baseNs) {
        this.originNs = originNs;
        this.baseNs = baseNs;
    }

    /** Those by two-way stamps. */
    static OffsetLines of(TwoWayStamps stamps) {
        return of(stamps, 0, stamps.count());
    }

    /** Those by some of the two-way stamps. */
    static OffsetLines of(TwoWayStamps stamps, int from, int until) {
        OffsetLines lines =
                new OffsetLines(stamps.get(0).sentNs(), stamps.get(0).upperNs());
        for (int i = from; i < until; i++) {
            TwoWayExchange exchange = stamps.get(i);
            lines.addForward(exchange.sentNs(), exchange.upperNs());
            lines.addBackward(exchange.returnedNs(), exchange.lowerNs());
        }
        return lines;
    }

    /** Adds a received − sent of the way there, by when it was sent. */
    void addForward(long sentNs, long forwardNs) {
        forward.add(sentNs - originNs, forwardNs - baseNs);
    }

    /** Adds a replied − returned of the way back, by when it returned. */
    void addBackward(long returnedNs, long backwardNs) {
        backward.add(returnedNs - originNs, baseNs - backwardNs);
    }

    /** Whether there is none. */
    boolean isEmpty() {
        return !hasRoom(widestSkew());
    }

    /**
     * The line in the middle of the highest line below the ways there and the lowest above the ways back, of those of
     * one slope that have the most room between them.
     */
    OffsetLine middle() {
        return middleBetween(this);
    }

    /**
     * The same, but with the slope of these lines in the middle of others that rest on fewer points of the same
     * exchanges; if that is none of these lines, the nearest that is.
     */
    OffsetLine middleBetween(OffsetLines others) {
        double skew = widestSkew();
        double middle = (others.highest(skew) + others.lowest(skew)) / 2;
        double restNs = Math.max(lowest(skew), Math.min(highest(skew), middle));
        return new OffsetLine(originNs, baseNs, restNs, skew);
    }

    /** The least skew of any of them. */
    double leastSkew() {
        return lastWithRoom(-GREATEST_SKEW);
    }

    /** The greatest skew of any of them. */
    double greatestSkew() {
        return lastWithRoom(GREATEST_SKEW);
    }

    /** How far from a line any of them is at a time of the sender's clock, in ns. */
    double distanceAt(OffsetLine line, long senderNs) {
        double at = senderNs - originNs;
        double least = leastSkew();
        double greatest = greatestSkew();
        double upper = greatestAt(skew -> at - touchedForward(skew), least, greatest);
        double lower = greatestAt(skew -> touchedBackward(skew) - at, least, greatest);
        double offset = line.baseNs() - baseNs + line.restNs() + line.skew() * (senderNs - line.originNs());
        return Math.max(highest(upper) + upper * at - offset, offset - lowest(lower) - lower * at);
    }

    private double widestSkew() {
        return greatestAt(skew -> touchedBackward(skew) - touchedForward(skew), -GREATEST_SKEW, GREATEST_SKEW);
    }

    /** The farthest skew toward a limit that leaves room, if any does. */
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

    /** Where a concave function is greatest, by its derivative. */
    private static double greatestAt(DoubleUnaryOperator derivative, double from, double to) {
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

    /** Whether a line of that slope passes below the ways there and above the ways back. */
    private boolean hasRoom(double skew) {
        return highest(skew) - lowest(skew) >= -RESOLUTION_NS;
    }

    /** Where the highest line of a slope below the ways there meets the origin. */
    private double highest(double skew) {
        int corner = forward.touchedBy(skew);
        return forward.y(corner) - skew * forward.x(corner);
    }

    /** Where the lowest line of a slope above the ways back meets the origin. */
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
}
