package org.lagbench.analysis.cause;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * The events in the process of one side, CLOCK_REALTIME of that side in ns. At each moment there is at most one cause:
 * the one with the highest rank (see {@link Cause}). A cause that {@linkplain Cause#competes() competes} with the
 * packet thread counts only while that thread waits for a CPU, and the wait is then attributed to it. Causes
 * {@linkplain Cause#isOfKernel() of a kernel} are independent of the others.
 *
 * <p>Takes about 100 bytes per event; a capture has at most half a million. Immutable.
 */
public final class EventTimeline {
    /** That of a side that recorded no events. */
    static final EventTimeline NONE = new EventTimeline(new EnumMap<>(Cause.class), List.of());

    /** Disjoint spans of each cause, ascending. */
    private final Map<Cause, List<CauseSpan>> spans;

    /** The spans of all causes of the process, except sleeps: disjoint, ascending. */
    private final List<CauseSpan> ofProcess;

    /** When retransmissions ended, ascending: also those during another one. */
    private final long[] retransmittedNs;

    EventTimeline(Map<Cause, List<CauseSpan>> spans, List<Long> retransmittedNs) {
        ofProcess = spans.values().stream()
                .flatMap(List::stream)
                .filter(span -> !span.cause().isOfKernel() && span.cause() != Cause.WIRE_OR_WAKE_UP)
                .sorted(Comparator.comparingLong(CauseSpan::startNs))
                .toList();
        this.spans = spans;
        this.retransmittedNs =
                retransmittedNs.stream().mapToLong(Long::longValue).toArray();
    }

    /** Reads the events of the sender; null if it did not record causes. */
    public static @Nullable EventTimeline ofSender(JoinedRun run) throws LagbenchException {
        return read(run.directory().resolve(EventsCapture.SENDER_FILE_NAME), PacketStamps.ofSender(run));
    }

    /** Reads the events of the receiver; null if it did not record causes. */
    public static @Nullable EventTimeline ofReceiver(JoinedRun run) throws LagbenchException {
        return read(run.directory().resolve(EventsCapture.RECEIVER_FILE_NAME), PacketStamps.ofReceiver(run));
    }

    /**
     * Reads the events of one side.
     *
     * @param capture the file, see {@link EventsCapture}
     * @param stamps of the side's packets, between which its process was stopped, if it was
     * @return null if there is no file: causes were not recorded
     */
    private static @Nullable EventTimeline read(Path capture, PacketStamps stamps) throws LagbenchException {
        if (!Files.exists(capture)) {
            return null;
        }
        try (CaptureReader events = CaptureReader.open(capture)) {
            int cause = events.field("cause");
            int startNs = events.field("start_ns");
            int endNs = events.field("end_ns");
            int tookNs = events.field("took_ns");
            int program0 = events.field("program_0");
            int program8 = events.field("program_8");
            TimelineBuilder builder = new TimelineBuilder();
            for (long i = 0; i < events.records(); i++) {
                Cause known = Cause.ofCode(events.value(i, cause));
                if (known != null && !known.isWindow()) {
                    String program = EventsCapture.program(events.value(i, program0), events.value(i, program8));
                    long fromNs = events.value(i, startNs);
                    long toNs = events.value(i, endNs);
                    if (known == Cause.STALL) {
                        PacketStamps.Gap gap = stamps.longestGap(fromNs, toNs);
                        if (stamps.isLongerThanUsual(gap)) {
                            builder.addStop(gap, toNs - fromNs);
                        }
                    } else {
                        builder.add(known, fromNs, toNs, events.value(i, tookNs), program);
                    }
                }
            }
            return builder.build();
        }
    }

    /** Returns the same without retransmissions. */
    EventTimeline withoutRetransmissions() {
        Map<Cause, List<CauseSpan>> others = new EnumMap<>(Cause.class);
        others.putAll(spans);
        others.remove(Cause.RETRANSMISSION);
        return new EventTimeline(others, List.of());
    }

    /** Returns when the last retransmission until a time ended; {@link Long#MIN_VALUE} if there is none. */
    long retransmittedNs(long untilNs) {
        int found = Arrays.binarySearch(retransmittedNs, untilNs);
        int last = found < 0 ? -found - 2 : found;
        return last < 0 ? Long.MIN_VALUE : retransmittedNs[last];
    }

    /**
     * Returns the maximum time that a cause lasted between two times, in ns. A wait of known length at an unknown
     * moment is assumed to fall between them as far as it fits.
     */
    public long overlapNs(Cause cause, long fromNs, long toNs) {
        List<CauseSpan> all = spans(cause);
        long sumNs = 0;
        for (int i = countBefore(all, toNs) - 1; i >= 0 && all.get(i).endNs() > fromNs; i--) {
            sumNs += Math.max(0, all.get(i).overlapNs(fromNs, toNs));
        }
        return sumNs;
    }

    /** Returns how many of some spans in the order of time began before a time. Allocates nothing. */
    static int countBefore(List<CauseSpan> spans, long timeNs) {
        int low = 0;
        int high = spans.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans.get(middle).startNs() < timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the spans of the process, of all causes except sleeps, in the order of time. */
    List<CauseSpan> ofProcess() {
        return ofProcess;
    }

    /** Returns the spans of a cause, disjoint and in the order of time. */
    public List<CauseSpan> spans(Cause cause) {
        return spans.getOrDefault(cause, List.of());
    }

    /**
     * A time span with one cause.
     *
     * @param tookNs the maximum time that the cause lasted within the span
     * @param program the program that ran instead; null if unknown
     * @param event the event that was split into several spans, which together last no longer than the event; null if
     *     the span is a whole event
     */
    public record CauseSpan(
            Cause cause, long startNs, long endNs, long tookNs, @Nullable String program, @Nullable CauseSpan event) {
        boolean isWhole() {
            return tookNs == endNs - startNs;
        }

        /** Returns the longest time that the cause can have lasted between two times, in ns; negative if none. */
        long overlapNs(long fromNs, long toNs) {
            return Math.min(tookNs, Math.min(endNs, toNs) - Math.max(startNs, fromNs));
        }
    }

    /** Builds a timeline from events in any order, by a sweep over their beginnings and ends. */
    static final class TimelineBuilder {

        private final List<CauseSpan> events = new ArrayList<>();

        /** The spans found so far. */
        private final Map<Cause, List<CauseSpan>> spans = new EnumMap<>(Cause.class);

        /** The number of events at the sweep's position, for each cause that has any, in the order of rank. */
        private final Map<Cause, Integer> active = new EnumMap<>(Cause.class);

        private final List<Long> retransmittedNs = new ArrayList<>();

        /** Whether programs that ran instead are known, so that a wait without one may be of any. */
        private boolean hasPrograms;

        /** The wait for a CPU at the sweep's position; there is never more than one. */
        private @Nullable CauseSpan wait;

        /** Adds an event if its end is after its beginning. */
        void add(Cause cause, long startNs, long endNs, long tookNs, @Nullable String program) {
            if (endNs > startNs) {
                events.add(new CauseSpan(cause, startNs, endNs, tookNs, program, null));
            }
        }

        /**
         * Adds a stop of the process, unless it ran meanwhile.
         *
         * @param gap the longest part of it without a stamp
         * @param lengthNs of all of it
         */
        void addStop(PacketStamps.Gap gap, long lengthNs) {
            if (gap.lengthNs() >= Math.min(lengthNs, Cause.SHORTEST_STALL_NS)) {
                add(Cause.STALL, gap.fromNs(), gap.toNs(), gap.lengthNs(), null);
            }
        }

        EventTimeline build() {
            hasPrograms = events.stream().anyMatch(event -> event.cause().isWait() && event.program() != null);
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
            return new EventTimeline(spans, retransmittedNs);
        }

        private long closeUntil(long timeNs, PriorityQueue<CauseSpan> open, long fromNs) {
            long atNs = fromNs;
            for (CauseSpan first = open.peek(); first != null && first.endNs() <= timeNs; first = open.peek()) {
                addSpans(atNs, first.endNs());
                atNs = first.endNs();
                if (first.cause() == Cause.RETRANSMISSION) {
                    retransmittedNs.add(atNs);
                }
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
                    addSpan(cause, new CauseSpan(cause, fromNs, toNs, toNs - fromNs, null, null));
                }
            }
            CauseSpan waiting = active.keySet().stream().anyMatch(Cause::isWait) ? wait : null;
            for (Cause cause : active.keySet()) {
                if (!cause.isOfKernel() && (!cause.competes() || (waiting != null && mayRunIn(waiting, cause)))) {
                    addSpan(
                            cause,
                            waiting != null && (cause.isWait() || cause.competes())
                                    ? new CauseSpan(
                                            cause,
                                            fromNs,
                                            toNs,
                                            Math.min(waiting.tookNs(), toNs - fromNs),
                                            cause == Cause.CPU_QUOTA ? null : waiting.program(),
                                            waiting.isWhole() ? null : waiting)
                                    : new CauseSpan(cause, fromNs, toNs, toNs - fromNs, null, null));
                    return;
                }
            }
        }

        private boolean mayRunIn(CauseSpan waiting, Cause cause) {
            return cause.mayRunIn(waiting.program())
                    && (!hasPrograms || waiting.program() != null || cause == Cause.CPU_QUOTA);
        }

        /**
         * Adds a span to the spans of its cause; joins it to the last if both are adjacent, of the same program, and
         * the cause took all of both.
         */
        private void addSpan(Cause cause, CauseSpan span) {
            List<CauseSpan> found = spans.computeIfAbsent(cause, any -> new ArrayList<>());
            CauseSpan last = found.isEmpty() ? null : found.get(found.size() - 1);
            if (last != null
                    && last.endNs() == span.startNs()
                    && last.isWhole()
                    && last.event() == null
                    && span.isWhole()
                    && span.event() == null
                    && Objects.equals(last.program(), span.program())) {
                found.set(
                        found.size() - 1,
                        new CauseSpan(
                                span.cause(),
                                last.startNs(),
                                span.endNs(),
                                last.tookNs() + span.tookNs(),
                                span.program(),
                                null));
            } else {
                found.add(span);
            }
        }
    }
}
