package org.lagbench.core.clock;

import static org.lagbench.core.clock.OffsetInterval.LARGEST_DRIFT_PPM;

import java.util.ArrayList;
import java.util.List;

/**
 * The largest offset that the two clocks can have had over a run, as the two-way exchanges of the whole run prove it.
 */
final class TwoWayBound {
    private TwoWayBound() {}

    /**
     * What all intervals prove together at the time of each, if no clock was stepped: every other one, widened by the
     * drift between, holds there too, so that a burst that was held up does no harm. Where one of the result is empty
     * the intervals contradict each other.
     *
     * @param intervals in the order they were taken
     */
    static List<OffsetInterval> together(List<OffsetInterval> intervals) {
        List<OffsetInterval> together = new ArrayList<>(intervals);
        for (int i = 1; i < together.size(); i++) {
            together.set(i, together.get(i).intersect(together.get(i - 1), LARGEST_DRIFT_PPM));
        }
        for (int i = together.size() - 2; i >= 0; i--) {
            together.set(i, together.get(i).intersect(together.get(i + 1), LARGEST_DRIFT_PPM));
        }
        return together;
    }

    /**
     * The bound on |offset| from the first interval to the last, in ns. Between two intervals with the upper ends U₁
     * and U₂ the offset can rise, at the largest drift, to no more than (U₁ + U₂ + drift) / 2, and likewise fall.
     *
     * @param intervals one or more, none of them empty, in the order they were taken
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
     * The same where a clock was stepped at some time between two intervals: before that the earlier one holds, widened
     * by the drift, and after it the later one.
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
