package org.lagbench.core.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.lagbench.core.cause.JvmEvents.Interval;

/** From when to when all Java threads were stopped, and what for. */
final class SafepointIntervals {
    private SafepointIntervals() {}

    /**
     * A safepoint in which garbage was collected is a collection from its begin, when threads were told to stop, to its
     * end.
     *
     * @param pauses when garbage was collected with all threads stopped
     * @param begins when each safepoint began, by its number
     * @param ends when it ended, by its number; one that has not ended is left out
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
