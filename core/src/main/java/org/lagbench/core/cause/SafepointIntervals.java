package org.lagbench.core.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.lagbench.core.cause.JvmEvents.Interval;

/** Computes when all Java threads were stopped, and why. */
final class SafepointIntervals {
    private SafepointIntervals() {}

    /**
     * Merges pauses and safepoints. A safepoint with a pause counts as a collection from its beginning, when the
     * threads were asked to stop, to its end.
     *
     * @param pauses garbage collections with all threads stopped
     * @param begins the beginning of each safepoint by its number
     * @param ends the end of each safepoint by its number; a safepoint without an end is omitted
     */
    static List<Interval> of(List<Interval> pauses, Map<Long, Long> begins, Map<Long, Long> ends) {
        List<Interval> byStart = new ArrayList<>(pauses);
        byStart.sort(Comparator.comparingLong(Interval::startNs));
        List<Interval> safepoints = new ArrayList<>();
        begins.forEach((id, beginNs) -> {
            Long endNs = ends.get(id);
            if (endNs != null) {
                safepoints.add(new Interval(Cause.SAFEPOINT, beginNs, endNs));
            }
        });
        safepoints.sort(Comparator.comparingLong(Interval::startNs));
        List<Interval> stops = new ArrayList<>();
        int pause = 0;
        for (Interval safepoint : safepoints) {
            while (pause < byStart.size() && byStart.get(pause).endNs() < safepoint.startNs()) {
                stops.add(byStart.get(pause++));
            }
            boolean isCollection = false;
            while (pause < byStart.size() && byStart.get(pause).startNs() <= safepoint.endNs()) {
                isCollection = true;
                pause++;
            }
            stops.add(
                    isCollection
                            ? new Interval(Cause.GARBAGE_COLLECTION, safepoint.startNs(), safepoint.endNs())
                            : safepoint);
        }
        stops.addAll(byStart.subList(pause, byStart.size()));
        return stops;
    }
}
