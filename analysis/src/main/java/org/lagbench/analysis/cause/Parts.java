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
import org.lagbench.core.cause.Cause;
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

    /** Returns the cause with the largest sum; null if more than that is not explained. */
    public @Nullable SideCause cause() {
        SideCause largest = null;
        long largestNs = unexplainedNs();
        for (Map.Entry<SideCause, Long> sum : byCause().entrySet()) {
            if (sum.getValue() > largestNs || (largest == null && sum.getValue() == largestNs)) {
                largest = sum.getKey();
                largestNs = sum.getValue();
            }
        }
        return largest;
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
        private final IdentityHashMap<CauseSpan, Long> takenNs = new IdentityHashMap<>();

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

        /** Attributes to a span at most what its event has left, and returns how much was free. */
        private long takePiece(Role side, CauseSpan span, long from, long to, long atMostNs) {
            SideCause cause = new SideCause(side, span.cause(), span.program());
            CauseSpan event = span.event();
            Kind kind = event == null && span.isWhole() ? Kind.EVENT : Kind.BOUND;
            if (event == null) {
                return take(cause, kind, from, to, atMostNs);
            }
            long leftNs = event.tookNs() - takenNs.getOrDefault(event, 0L);
            long tookNs = take(cause, kind, from, to, Math.min(atMostNs, leftNs));
            takenNs.merge(event, tookNs, Long::sum);
            return tookNs;
        }

        /**
         * Attributes to each span of a side what it covers. Before moment 0, spans are of the median lag; what they
         * exceed it by follows.
         *
         * @param originNs the time of moment 0 by the clock of that side
         * @param from the first moment that spans can delay the packet; may be negative
         * @param first the first moment that they may take
         * @param isProcessOnly whether only causes that stop the whole process count
         */
        void takeSpans(
                Role side, EventTimeline events, long originNs, long from, long first, long to, boolean isProcessOnly) {
            int end = events.countBefore(originNs + to);
            int begun = end;
            while (begun > 0 && events.ofProcess().get(begun - 1).endNs() > originNs + from) {
                begun--;
            }
            for (CauseSpan span : events.ofProcess().subList(begun, end)) {
                if (!isProcessOnly || span.cause().isOfProcess()) {
                    long coveredNs = span.overlapNs(originNs + from, originNs + to);
                    long begin = Math.max(Math.max(first, from), span.startNs() - originNs);
                    long until = Math.max(begin + coveredNs, Math.min(to, span.endNs() - originNs));
                    takePiece(side, span, begin, until, coveredNs);
                }
            }
        }

        /**
         * Attributes a queue to the earlier events that made it, the latest first, and the rest to another cause.
         *
         * @param untilNs when the packet joined the queue, by the clock of that side
         * @param sinceNs when the first packet of the queue did
         * @param atMostNs limits the attributed time
         */
        void takeQueue(
                Role side,
                EventTimeline events,
                long untilNs,
                long sinceNs,
                long from,
                long to,
                long atMostNs,
                Cause otherwise) {
            long left = Math.min(atMostNs, Math.max(0, to - from));
            for (int i = events.countBefore(untilNs) - 1; i >= 0 && left > 0; i--) {
                CauseSpan span = events.ofProcess().get(i);
                if (span.endNs() <= sinceNs) {
                    break;
                }
                long madeNs = Math.min(left, span.overlapNs(sinceNs, untilNs));
                left -= takePiece(side, span, from, to, madeNs);
            }
            take(new SideCause(side, otherwise), Kind.STAMP, from, to, left);
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
