package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.Cause;

/** Builds a timeline from events in any order, by a sweep over their beginnings and ends. */
final class TimelineBuilder {
    private record TimedEvent(Cause cause, long startNs, long endNs, long tookNs) {}

    private final List<TimedEvent> events = new ArrayList<>();

    /** The spans found so far: start, end, and how long the cause lasted in each. */
    private final Map<Cause, List<long[]>> spans = new EnumMap<>(Cause.class);

    /** The number of events at the sweep's position, for each cause that has any, in the order of rank. */
    private final Map<Cause, Integer> active = new EnumMap<>(Cause.class);

    /** The wait for a CPU at the sweep's position; there is never more than one. */
    private @Nullable TimedEvent wait;

    /** Adds an event if its end is after its beginning. */
    void add(Cause cause, long startNs, long endNs, long tookNs) {
        if (endNs > startNs) {
            events.add(new TimedEvent(cause, startNs, endNs, tookNs));
        }
    }

    EventTimeline build() {
        events.sort(Comparator.comparingLong(TimedEvent::startNs));
        PriorityQueue<TimedEvent> open = new PriorityQueue<>(Comparator.comparingLong(TimedEvent::endNs));
        long atNs = Long.MIN_VALUE;
        for (TimedEvent next : events) {
            atNs = closeUntil(next.startNs, open, atNs);
            addSpans(atNs, next.startNs);
            atNs = next.startNs;
            active.merge(next.cause, 1, Integer::sum);
            open.add(next);
            if (next.cause.isWait()) {
                wait = next;
            }
        }
        closeUntil(Long.MAX_VALUE, open, atNs);
        return new EventTimeline(spans);
    }

    private long closeUntil(long timeNs, PriorityQueue<TimedEvent> open, long fromNs) {
        long atNs = fromNs;
        for (TimedEvent first = open.peek(); first != null && first.endNs <= timeNs; first = open.peek()) {
            addSpans(atNs, first.endNs);
            atNs = first.endNs;
            active.computeIfPresent(first.cause, (cause, count) -> count == 1 ? null : count - 1);
            open.remove();
        }
        return atNs;
    }

    /** Adds a time in which the set of active events does not change. */
    private void addSpans(long fromNs, long toNs) {
        if (toNs <= fromNs) {
            return;
        }
        for (Cause cause : active.keySet()) {
            if (cause.isOfKernel()) {
                addSpan(cause, fromNs, toNs, toNs - fromNs);
            }
        }
        boolean isWaiting = active.keySet().stream().anyMatch(Cause::isWait);
        for (Cause cause : active.keySet()) {
            if (!cause.isOfKernel() && (isWaiting || !cause.competes())) {
                boolean isDuringWait = cause.isWait() || cause.competes();
                long tookNs = wait == null || !isDuringWait ? toNs - fromNs : Math.min(wait.tookNs, toNs - fromNs);
                addSpan(cause, fromNs, toNs, tookNs);
                return;
            }
        }
    }

    /**
     * Adds a span to the spans of its cause; joins it to the last if both are adjacent and the cause took all of both.
     */
    private void addSpan(Cause cause, long fromNs, long toNs, long tookNs) {
        List<long[]> found = spans.computeIfAbsent(cause, any -> new ArrayList<>());
        long[] last = found.isEmpty() ? null : found.get(found.size() - 1);
        boolean isWhole = tookNs == toNs - fromNs;
        if (last != null && isWhole && last[1] == fromNs && last[2] == last[1] - last[0]) {
            last[1] = toNs;
            last[2] += tookNs;
        } else {
            found.add(new long[] {fromNs, toNs, tookNs});
        }
    }
}
