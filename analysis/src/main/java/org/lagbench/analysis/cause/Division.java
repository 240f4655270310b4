package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.EventTimeline.CauseSpan;
import org.lagbench.analysis.cause.Parts.Kind;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.cause.SideCause.Role;

/**
 * Divides one time after the other into parts. A time consists of stretches, one after the other. Each moment of a
 * stretch gets at most one cause: the first that takes it. Moments are in ns since the beginning of the stretch.
 *
 * <p>Its memory remains for the next time: a time without events of programs and without waits of an unknown moment
 * allocates nothing. Not thread-safe.
 */
final class Division {
    /** A part, until that of another time replaces it. */
    private static final class Slot {
        private @Nullable SideCause cause;
        private @Nullable Role side;
        private Kind kind = Kind.BOUND;
        private long sinceNs;
        private long ns;
    }

    /** The parts, those of each stretch in the order of time; then unused ones. */
    private final List<Slot> slots = new ArrayList<>();

    private int size;

    /** The first part of the stretch. */
    private int first;

    /** Where the packet was in the stretch; null if no stamps enclose it on one side. */
    private @Nullable Role side;

    /** When the stretch begins, in ns since the beginning of the time. */
    private long originNs;

    /** What no cause has taken: pairs of beginning and end, ascending. */
    private long[] free = new long[8];

    /** The number of beginnings and ends. */
    private int ends;

    /** Another array of the same length. */
    private long[] spare = new long[8];

    /** What the pieces of an event have taken of the stretch. */
    private final IdentityHashMap<CauseSpan, Long> takenNs = new IdentityHashMap<>(2);

    /** Begins with another time. */
    void begin() {
        size = 0;
    }

    /**
     * Begins a stretch.
     *
     * @param where where the packet was; null if no stamps enclose it on one side
     * @param sinceNs when it begins, in ns since the beginning of the time
     */
    void beginStretch(@Nullable Role where, long sinceNs, long lengthNs) {
        side = where;
        originNs = sinceNs;
        first = size;
        free[0] = 0;
        free[1] = lengthNs;
        ends = 2;
        if (!takenNs.isEmpty()) {
            takenNs.clear();
        }
    }

    /** Ends the stretch. What is still free is not explained. */
    void endStretch() {
        for (int i = 0; i < ends; i += 2) {
            if (free[i + 1] > free[i]) {
                add(null, Kind.BOUND, free[i], free[i + 1] - free[i]);
            }
        }
    }

    /** Adds a stretch that is one part, which can be negative. */
    void addStretch(SideCause cause, Kind kind, long sinceNs, long ns) {
        beginStretch(cause.side(), sinceNs, 0);
        add(cause, kind, 0, ns);
    }

    /** Attributes at most a given time between two moments to a cause, and returns how much was free. */
    long take(SideCause cause, Kind kind, long from, long to, long atMostNs) {
        if (spare.length < ends + 2) {
            spare = new long[2 * spare.length];
            free = Arrays.copyOf(free, spare.length);
        }
        long left = atMostNs;
        int kept = 0;
        for (int i = 0; i < ends; i += 2) {
            long begin = Math.max(free[i], from);
            long end = Math.min(Math.min(free[i + 1], to), begin + Math.max(0, left));
            if (end <= begin) {
                kept = keep(kept, free[i], free[i + 1]);
                continue;
            }
            add(cause, kind, begin, end - begin);
            left -= end - begin;
            if (free[i] < begin) {
                kept = keep(kept, free[i], begin);
            }
            if (end < free[i + 1]) {
                kept = keep(kept, end, free[i + 1]);
            }
        }
        long[] before = free;
        free = spare;
        spare = before;
        ends = kept;
        return atMostNs - left;
    }

    private int keep(int kept, long begin, long end) {
        spare[kept] = begin;
        spare[kept + 1] = end;
        return kept + 2;
    }

    private void add(@Nullable SideCause cause, Kind kind, long since, long ns) {
        if (size == slots.size()) {
            slots.add(new Slot());
        }
        Slot slot = slots.get(size);
        int index = size++;
        for (; index > first && slots.get(index - 1).sinceNs > originNs + since; index--) {
            slots.set(index, slots.get(index - 1));
        }
        slots.set(index, slot);
        slot.cause = cause;
        slot.side = cause == null ? side : cause.side();
        slot.kind = kind;
        slot.sinceNs = originNs + since;
        slot.ns = ns;
    }

    /** Attributes to a span at most what its event has left. */
    private void takePiece(Role role, CauseSpan span, long from, long to, long atMostNs) {
        SideCause cause = SideCause.of(role, span.cause(), span.program());
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
     * @param atNs the time of moment 0 by the clock of that side
     * @param from the first moment that spans can delay the packet
     * @param isProcessOnly whether only causes that stop the whole process count
     */
    void takeSpans(Role role, EventTimeline events, long atNs, long from, long to, boolean isProcessOnly) {
        List<CauseSpan> spans = events.ofProcess();
        int end = EventTimeline.countBefore(spans, atNs + to);
        int begun = end;
        while (begun > 0 && spans.get(begun - 1).endNs() > atNs + from) {
            begun--;
        }
        for (int i = begun; i < end; i++) {
            CauseSpan span = spans.get(i);
            if (!isProcessOnly || span.cause().isOfProcess()) {
                long coveredNs = span.overlapNs(atNs + from, atNs + to);
                long begin = Math.max(from, span.startNs() - atNs);
                takePiece(role, span, begin, Math.min(to, span.endNs() - atNs), coveredNs);
            }
        }
    }

    /** Attributes what is free to the events of a side that overlap a time, the latest first. */
    void takeQueue(Role role, EventTimeline events, long sinceNs, long untilNs) {
        List<CauseSpan> spans = events.ofProcess();
        int last = EventTimeline.countBefore(spans, untilNs) - 1;
        for (int i = last; i >= 0 && spans.get(i).endNs() > sinceNs; i--) {
            takePiece(role, spans.get(i), 0, Long.MAX_VALUE, spans.get(i).overlapNs(sinceNs, untilNs));
        }
    }

    /**
     * Attributes what is still free to the spans of a cause that are not of the process, at their times.
     *
     * @param events of the cause's side
     * @param atNs the time of moment 0 by the clock of that side
     * @param from the first moment that they may take
     */
    void takeEvents(SideCause cause, Kind kind, EventTimeline events, long atNs, long from, long to) {
        List<CauseSpan> spans = events.spans(cause.cause());
        int last = EventTimeline.countBefore(spans, atNs + to) - 1;
        for (int i = last; i >= 0 && spans.get(i).endNs() > atNs + from; i--) {
            CauseSpan span = spans.get(i);
            take(cause, kind, Math.max(from, span.startNs() - atNs), Math.min(to, span.endNs() - atNs), span.tookNs());
        }
    }

    /** Returns the number of parts. */
    int size() {
        return size;
    }

    /** Returns the cause of a part, counted from 0; null if the part is not explained. */
    @Nullable
    SideCause cause(int part) {
        return slots.get(part).cause;
    }

    /** Returns where a part was; null if it is not explained and no stamps enclose it on one side. */
    @Nullable
    Role side(int part) {
        return slots.get(part).side;
    }

    /** Returns how long a part lasted, in ns. */
    long ns(int part) {
        return slots.get(part).ns;
    }

    /** Returns the parts, which remain as they are. */
    Parts parts() {
        return new Parts(slots.subList(0, size).stream()
                .map(slot -> new Part(slot.cause, slot.side, slot.kind, slot.sinceNs, slot.ns))
                .toList());
    }
}
