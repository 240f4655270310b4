package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.Cause;

/** Builds a timeline from events in any order, by a sweep over their beginnings and ends. */
final class TimelineBuilder {

    private final List<CauseSpan> events = new ArrayList<>();

    /** The spans found so far. */
    private final Map<Cause, List<CauseSpan>> spans = new EnumMap<>(Cause.class);

    /** The number of events at the sweep's position, for each cause that has any, in the order of rank. */
    private final Map<Cause, Integer> active = new EnumMap<>(Cause.class);

    /** The wait for a CPU at the sweep's position; there is never more than one. */
    private @Nullable CauseSpan wait;

    /** Adds an event if its end is after its beginning. */
    void add(Cause cause, long startNs, long endNs, long tookNs, @Nullable String program) {
        if (endNs > startNs) {
            events.add(new CauseSpan(cause, startNs, endNs, tookNs, program));
        }
    }

    EventTimeline build() {
        events.sort(Comparator.comparingLong(CauseSpan::startNs));
        PriorityQueue<CauseSpan> open = new PriorityQueue<>(Comparator.comparingLong(CauseSpan::endNs));
        long atNs = Long.MIN_VALUE;
        for (CauseSpan next : events) {
            atNs = closeUntil(next.startNs(), open, atNs);
            addSpans(atNs, next.startNs());
            atNs = next.startNs();
            active.merge(next.cause(), 1, Integer::sum);
            open.add(next);
            if (next.cause().isWait()) {
                wait = next;
            }
        }
        closeUntil(Long.MAX_VALUE, open, atNs);
        return new EventTimeline(spans);
    }

    private long closeUntil(long timeNs, PriorityQueue<CauseSpan> open, long fromNs) {
        long atNs = fromNs;
        for (CauseSpan first = open.peek(); first != null && first.endNs() <= timeNs; first = open.peek()) {
            addSpans(atNs, first.endNs());
            atNs = first.endNs();
            active.computeIfPresent(first.cause(), (cause, count) -> count == 1 ? null : count - 1);
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
                addSpan(cause, new CauseSpan(cause, fromNs, toNs, toNs - fromNs, null));
            }
        }
        CauseSpan waiting = active.keySet().stream().anyMatch(Cause::isWait) ? wait : null;
        for (Cause cause : active.keySet()) {
            if (!cause.isOfKernel() && (!cause.competes() || (waiting != null && cause.mayRunIn(waiting.program())))) {
                addSpan(
                        cause,
                        waiting != null && (cause.isWait() || cause.competes())
                                ? new CauseSpan(
                                        cause,
                                        fromNs,
                                        toNs,
                                        Math.min(waiting.tookNs(), toNs - fromNs),
                                        waiting.program())
                                : new CauseSpan(cause, fromNs, toNs, toNs - fromNs, null));
                return;
            }
        }
    }

    /**
     * Adds a span to the spans of its cause; joins it to the last if both are adjacent, of the same program, and the
     * cause took all of both.
     */
    private void addSpan(Cause cause, CauseSpan span) {
        List<CauseSpan> found = spans.computeIfAbsent(cause, any -> new ArrayList<>());
        CauseSpan last = found.isEmpty() ? null : found.get(found.size() - 1);
        if (last != null
                && last.endNs() == span.startNs()
                && last.isWhole()
                && span.isWhole()
                && Objects.equals(last.program(), span.program())) {
            found.set(
                    found.size() - 1,
                    new CauseSpan(
                            span.cause(), last.startNs(), span.endNs(), last.tookNs() + span.tookNs(), span.program()));
        } else {
            found.add(span);
        }
    }
}
