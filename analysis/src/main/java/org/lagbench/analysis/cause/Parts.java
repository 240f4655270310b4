package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.EventTimeline.CauseSpan;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.core.model.TextEnum;

/**
 * The parts of a time, each with at most one cause.
 *
 * @param parts in the order of time; their sum is the time
 */
public record Parts(List<Part> parts) {
    public Parts {
        parts = List.copyOf(parts);
    }

    /** What proves a part, the most certain first. */
    public enum Kind implements TextEnum {
        /** Two stamps of one clock enclose the part. */
        STAMP,
        /** A recorded event, with its beginning and end. */
        EVENT,
        /** Stamps or events prove only how long it can be at most, or stamps of two clocks enclose it. */
        BOUND
    }

    /**
     * A part of a time.
     *
     * @param cause null if the part is not explained
     * @param kind what proves it
     * @param sinceNs when it began, in ns since the beginning of the whole time
     * @param ns how long it lasted, in ns
     */
    public record Part(@Nullable SideCause cause, Kind kind, long sinceNs, long ns) {}

    /** Returns the sum of the parts of each cause, in ns. */
    public Map<SideCause, Long> byCause() {
        Map<SideCause, Long> sums = new TreeMap<>();
        for (Part part : parts) {
            if (part.cause() != null) {
                sums.merge(part.cause(), part.ns(), Long::sum);
            }
        }
        return sums;
    }

    /** Returns the sum of the parts that are not explained, in ns. */
    public long unexplainedNs() {
        return parts.stream()
                .filter(part -> part.cause() == null)
                .mapToLong(Part::ns)
                .sum();
    }

    /**
     * Divides a time. Each moment gets at most one cause: the first that takes it. Moments are in ns since the
     * beginning of that time.
     */
    static final class PartsBuilder {
        private final List<Part> parts = new ArrayList<>();

        /** What no cause has taken: pairs of beginning and end, ascending. */
        private List<long[]> free = new ArrayList<>();

        /** What the pieces of an event have taken. */
        private final IdentityHashMap<CauseSpan, Long> takenNs = new IdentityHashMap<>(2);

        PartsBuilder(long lengthNs) {
            free.add(new long[] {0, lengthNs});
        }

        /** Attributes at most a given time between two moments to a cause, and returns how much was free. */
        long take(SideCause cause, Kind kind, long from, long to, long atMostNs) {
            long left = atMostNs;
            List<long[]> remaining = new ArrayList<>();
            for (long[] gap : free) {
                long begin = Math.max(gap[0], from);
                long end = Math.min(Math.min(gap[1], to), begin + Math.max(0, left));
                if (end <= begin) {
                    remaining.add(gap);
                    continue;
                }
                parts.add(new Part(cause, kind, begin, end - begin));
                left -= end - begin;
                if (gap[0] < begin) {
                    remaining.add(new long[] {gap[0], begin});
                }
                if (end < gap[1]) {
                    remaining.add(new long[] {end, gap[1]});
                }
            }
            free = remaining;
            return atMostNs - left;
        }

        /** Attributes to a span at most what its event has left. */
        private void takePiece(Role side, CauseSpan span, long from, long to, long atMostNs) {
            SideCause cause = new SideCause(side, span.cause(), span.program());
            CauseSpan event = span.event();
            Kind kind = event == null && span.isWhole() ? Kind.EVENT : Kind.BOUND;
            if (event == null) {
                take(cause, kind, from, to, atMostNs);
            } else {
                long leftNs = event.tookNs() - takenNs.getOrDefault(event, 0L);
                takenNs.merge(event, take(cause, kind, from, to, Math.min(atMostNs, leftNs)), Long::sum);
            }
        }

        /**
         * Attributes to each span of a side what it covers.
         *
         * @param originNs the time of moment 0 by the clock of that side
         * @param from the first moment that spans can delay the packet
         * @param isProcessOnly whether only causes that stop the whole process count
         */
        void takeSpans(Role side, EventTimeline events, long originNs, long from, long to, boolean isProcessOnly) {
            int end = events.countBefore(originNs + to);
            int begun = end;
            while (begun > 0 && events.ofProcess().get(begun - 1).endNs() > originNs + from) {
                begun--;
            }
            for (CauseSpan span : events.ofProcess().subList(begun, end)) {
                if (!isProcessOnly || span.cause().isOfProcess()) {
                    long coveredNs = span.overlapNs(originNs + from, originNs + to);
                    long begin = Math.max(from, span.startNs() - originNs);
                    takePiece(side, span, begin, Math.min(to, span.endNs() - originNs), coveredNs);
                }
            }
        }

        /** Attributes what is free to the events of a side that overlap a time, the latest first. */
        void takeQueue(Role side, EventTimeline events, long sinceNs, long untilNs) {
            for (int i = events.countBefore(untilNs) - 1; i >= 0; i--) {
                CauseSpan span = events.ofProcess().get(i);
                if (span.endNs() <= sinceNs) {
                    break;
                }
                takePiece(side, span, 0, Long.MAX_VALUE, span.overlapNs(sinceNs, untilNs));
            }
        }

        /**
         * Attributes what is still free to the spans of a cause that are not of the process, at their times.
         *
         * @param events of the cause's side
         * @param originNs the time of moment 0 by the clock of that side
         * @param from the first moment that they may take
         */
        void takeEvents(SideCause cause, Kind kind, EventTimeline events, long originNs, long from, long to) {
            List<CauseSpan> spans = events.spans(cause.cause());
            int last = EventTimeline.countBefore(spans, originNs + to) - 1;
            for (int i = last; i >= 0 && spans.get(i).endNs() > originNs + from; i--) {
                CauseSpan span = spans.get(i);
                take(
                        cause,
                        kind,
                        Math.max(from, span.startNs() - originNs),
                        Math.min(to, span.endNs() - originNs),
                        span.tookNs());
            }
        }

        /** Returns the parts. What is still free is not explained. */
        Parts build() {
            for (long[] gap : free) {
                if (gap[1] > gap[0]) {
                    parts.add(new Part(null, Kind.BOUND, gap[0], gap[1] - gap[0]));
                }
            }
            parts.sort(Comparator.comparingLong(Part::sinceNs));
            return new Parts(parts);
        }
    }
}
