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

    /** Adds an event; one that ends before it begins is none. */
    void add(Cause cause, long startNs, long endNs) {
        if (endNs > startNs) {
            events.add(new Event(cause, startNs, endNs));
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
        }
        closeUntil(Long.MAX_VALUE, open, atNs);
        Map<Cause, EventTimeline.Spans> built = new EnumMap<>(Cause.class);
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
            span(Cause.KERNEL_DROP).add(fromNs, toNs);
        }
        Cause cause = cause();
        if (cause != null) {
            span(cause).add(fromNs, toNs);
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

    private record Event(Cause cause, long startNs, long endNs) {}

    /** Spans that are added in their order; what follows at once is one with what was before. */
    private static final class Growing {
        private final List<long[]> found = new ArrayList<>();

        void add(long fromNs, long toNs) {
            long[] last = found.isEmpty() ? null : found.get(found.size() - 1);
            if (last != null && last[1] == fromNs) {
                last[1] = toNs;
            } else {
                found.add(new long[] {fromNs, toNs});
            }
        }

        EventTimeline.Spans spans() {
            return new EventTimeline.Spans(
                    found.stream().mapToLong(span -> span[0]).toArray(),
                    found.stream().mapToLong(span -> span[1]).toArray());
        }
    }
}
