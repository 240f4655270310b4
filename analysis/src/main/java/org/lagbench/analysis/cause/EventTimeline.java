package org.lagbench.analysis.cause;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * What went on in the process of one side, CLOCK_REALTIME of that side in ns: at each moment one cause or none, of
 * several the one of the highest rank (see {@link Cause}). A cause that {@linkplain Cause#competes() competes} with the
 * packet thread is one only while that thread waits for a CPU, and the wait is then its doing.
 * {@link Cause#KERNEL_DROP} delays nothing and stands apart from the others.
 *
 * <p>Takes some 100 bytes an event, of which a capture has half a million at most. Immutable.
 */
public final class EventTimeline {
    private final Map<Cause, CauseSpans> spans;

    private EventTimeline(Map<Cause, CauseSpans> spans) {
        this.spans = spans;
    }

    /**
     * Reads the events of one side.
     *
     * @param capture the file, see {@link org.lagbench.core.capture.EventsCapture}
     * @return null if there is none: causes were not recorded
     * @throws LagbenchException if it cannot be read
     */
    public static @Nullable EventTimeline read(Path capture) throws LagbenchException {
        if (!Files.exists(capture)) {
            return null;
        }
        try (CaptureReader events = CaptureReader.open(capture)) {
            int cause = events.field("cause");
            int startNs = events.field("start_ns");
            int endNs = events.field("end_ns");
            int tookNs = events.field("took_ns");
            TimelineBuilder builder = new TimelineBuilder();
            for (long i = 0; i < events.records(); i++) {
                Cause known = Cause.ofCode(events.value(i, cause));
                if (known != null) {
                    builder.add(known, events.value(i, startNs), events.value(i, endNs), events.value(i, tookNs));
                }
            }
            return builder.build();
        }
    }

    static EventTimeline of(Map<Cause, CauseSpans> spans) {
        return new EventTimeline(new EnumMap<>(spans));
    }

    /**
     * How long that cause went on between two times at most, in ns: a wait of known length at an unknown moment is
     * taken to have been between them as far as there is room for it.
     */
    public long overlapNs(Cause cause, long fromNs, long toNs) {
        CauseSpans of = spans.get(cause);
        return of == null || toNs <= fromNs ? 0 : of.overlapNs(fromNs, toNs);
    }

    /** How often that cause went on. */
    public int size(Cause cause) {
        CauseSpans of = spans.get(cause);
        return of == null ? 0 : of.starts.length;
    }

    /** When that cause began to go on for the n-th time, from 0. */
    public long startNs(Cause cause, int n) {
        return spansOf(cause).starts[n];
    }

    /** When that cause ended for the n-th time, from 0. */
    public long endNs(Cause cause, int n) {
        return spansOf(cause).ends[n];
    }

    private CauseSpans spansOf(Cause cause) {
        CauseSpans of = spans.get(cause);
        if (of == null) {
            throw new IndexOutOfBoundsException("there is no " + cause);
        }
        return of;
    }

    /** Disjoint spans of time in their order, each of which a part counts. */
    static final class CauseSpans {
        private final long[] starts;
        private final long[] ends;
        private final long[] tookNs;

        /** How much of those before each counts together. */
        private final long[] sumsNs;

        CauseSpans(long[] starts, long[] ends, long[] tookNs) {
            this.starts = starts;
            this.ends = ends;
            this.tookNs = tookNs;
            this.sumsNs = new long[starts.length];
            for (int i = 1; i < starts.length; i++) {
                sumsNs[i] = sumsNs[i - 1] + tookNs[i - 1];
            }
        }

        long overlapNs(long fromNs, long toNs) {
            int first = firstAfter(ends, fromNs);
            int last = firstAfter(starts, toNs - 1) - 1;
            if (first > last) {
                return 0;
            }
            return first == last
                    ? overlapNs(first, fromNs, toNs)
                    : overlapNs(first, fromNs, toNs) + sumsNs[last] - sumsNs[first + 1] + overlapNs(last, fromNs, toNs);
        }

        private long overlapNs(int span, long fromNs, long toNs) {
            return Math.min(tookNs[span], Math.min(ends[span], toNs) - Math.max(starts[span], fromNs));
        }

        /** The index of the first value that is greater, or how many there are. */
        private static int firstAfter(long[] values, long value) {
            int found = Arrays.binarySearch(values, value);
            return found >= 0 ? found + 1 : -found - 1;
        }
    }
}
