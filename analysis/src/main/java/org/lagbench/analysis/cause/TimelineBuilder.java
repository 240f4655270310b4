package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.Cause;

/** Makes a timeline of events in any order, by walking over their beginnings and ends. */
final class TimelineBuilder {
    private final List<Event> events = new ArrayList<>();
    private final Map<Cause, Growing> spans = new EnumMap<>(Cause.class);

    /** How many events go on where the walk is, of each cause of which any does, in the order of rank. */
    private final Map<Cause, Integer> going = new EnumMap<>(Cause.class);

    /** The wait for a CPU that goes on where the walk is; the stall meter never sees two. */
    private @Nullable Event wait;

    /** Adds an event; one that ends before it begins is none. */
    void add(Cause cause, long startNs, long endNs, long tookNs) {
        if (endNs > startNs) {
            events.add(new Event(cause, startNs, endNs, tookNs));
        }
    }

    EventTimeline build() {
        events.sort(Comparator.comparingLong(Event::startNs));
        PriorityQueue<Event> open = new PriorityQueue<>(Comparator.comparingLong(Event::endNs));
        long atNs = Long.MIN_VALUE;
        for (Event next : events) {
            atNs = closeUntil(next.startNs, open, atNs);
            put(atNs, next.startNs);
            atNs = next.startNs;
            going.merge(next.cause, 1, Integer::sum);
            open.add(next);
            if (next.cause.isWait()) {
                wait = next;
            }
        }
        closeUntil(Long.MAX_VALUE, open, atNs);
        Map<Cause, EventTimeline.CauseSpans> built = new EnumMap<>(Cause.class);
        spans.forEach((cause, grown) -> built.put(cause, grown.spans()));
        return EventTimeline.of(built);
    }

    private long closeUntil(long timeNs, PriorityQueue<Event> open, long fromNs) {
        long atNs = fromNs;
        for (Event first = open.peek(); first != null && first.endNs <= timeNs; first = open.peek()) {
            put(atNs, first.endNs);
            atNs = first.endNs;
            going.computeIfPresent(first.cause, (cause, count) -> count == 1 ? null : count - 1);
            open.remove();
        }
        return atNs;
    }

    /** Gives a stretch in which the same events go on to its cause. */
    private void put(long fromNs, long toNs) {
        if (toNs <= fromNs) {
            return;
        }
        if (going.containsKey(Cause.KERNEL_DROP)) {
            span(Cause.KERNEL_DROP).add(fromNs, toNs, toNs - fromNs);
        }
        Cause cause = cause();
        if (cause != null) {
            boolean isWait = cause.isWait() || cause.competes();
            long tookNs = wait == null || !isWait ? toNs - fromNs : Math.min(wait.tookNs, toNs - fromNs);
            span(cause).add(fromNs, toNs, tookNs);
        }
    }

    private @Nullable Cause cause() {
        boolean waits = going.keySet().stream().anyMatch(Cause::isWait);
        for (Cause cause : going.keySet()) {
            if (cause != Cause.KERNEL_DROP && (waits || !cause.competes())) {
                return cause;
            }
        }
        return null;
    }

    private Growing span(Cause cause) {
        return spans.computeIfAbsent(cause, ignored -> new Growing());
    }

    private record Event(Cause cause, long startNs, long endNs, long tookNs) {}

    /** Spans that are added in their order; what follows at once, and counts whole, is one with what was before. */
    private static final class Growing {
        private final List<long[]> found = new ArrayList<>();

        void add(long fromNs, long toNs, long tookNs) {
            long[] last = found.isEmpty() ? null : found.get(found.size() - 1);
            boolean whole = tookNs == toNs - fromNs;
            if (last != null && whole && last[1] == fromNs && last[2] == last[1] - last[0]) {
                last[1] = toNs;
                last[2] += tookNs;
            } else {
                found.add(new long[] {fromNs, toNs, tookNs});
            }
        }

        EventTimeline.CauseSpans spans() {
            return new EventTimeline.CauseSpans(column(0), column(1), column(2));
        }

        private long[] column(int index) {
            return found.stream().mapToLong(span -> span[index]).toArray();
        }
    }
}
