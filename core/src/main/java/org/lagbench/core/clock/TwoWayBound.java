package org.lagbench.core.clock;

import static org.lagbench.core.clock.OffsetInterval.LARGEST_DRIFT_PPM;

import java.util.ArrayList;
import java.util.List;

/** Computes the largest offset of two clocks over a run from its two-way exchanges. */
final class TwoWayBound {
    private TwoWayBound() {}

    /**
     * Intersects, at the time of each interval, all intervals widened by the drift between. So a delayed burst does no
     * harm. Valid if no clock was stepped; an empty interval in the result means that the intervals contradict each
     * other.
     *
     * @param intervals in the order of time
     */
    static List<OffsetInterval> computeAll(List<OffsetInterval> intervals) {
        List<OffsetInterval> all = new ArrayList<>(intervals);
        for (int i = 1; i < all.size(); i++) {
            all.set(i, all.get(i).intersect(all.get(i - 1), LARGEST_DRIFT_PPM));
        }
        for (int i = all.size() - 2; i >= 0; i--) {
            all.set(i, all.get(i).intersect(all.get(i + 1), LARGEST_DRIFT_PPM));
        }
        return all;
    }

    /**
     * Returns the bound on |offset| from the first interval to the last, in ns. Between two intervals with the upper
     * ends U₁ and U₂ the offset can rise, at the largest drift, to at most (U₁ + U₂ + drift) / 2, and likewise fall.
     *
     * @param intervals one or more, none of them empty, in the order of time
     */
    static long steady(List<OffsetInterval> intervals) {
        long largest = intervals.get(0).largestNs();
        for (int i = 1; i < intervals.size(); i++) {
            OffsetInterval before = intervals.get(i - 1);
            OffsetInterval after = intervals.get(i);
            long driftNs = driftNs(before, after);
            long highest = halfUp(before.upperNs() + after.upperNs() + driftNs);
            long lowest = -halfUp(driftNs - before.lowerNs() - after.lowerNs());
            largest = Math.max(largest, Math.max(after.largestNs(), Math.max(highest, -lowest)));
        }
        return largest;
    }

    /**
     * Returns the bound as {@link #steady} does, if a clock was stepped between two intervals: before the step the
     * earlier interval holds, widened by the drift, and after it the later interval.
     */
    static long stepped(List<OffsetInterval> intervals) {
        long largest = intervals.get(0).largestNs();
        for (int i = 1; i < intervals.size(); i++) {
            OffsetInterval before = intervals.get(i - 1);
            OffsetInterval after = intervals.get(i);
            largest = Math.max(largest, Math.max(before.largestNs(), after.largestNs()) + driftNs(before, after));
        }
        return largest;
    }

    private static long driftNs(OffsetInterval before, OffsetInterval after) {
        return OffsetInterval.driftNs(Math.abs(after.senderAtNs() - before.senderAtNs()), LARGEST_DRIFT_PPM);
    }

    private static long halfUp(long ns) {
        return Math.floorDiv(ns + 1, 2);
    }
}
