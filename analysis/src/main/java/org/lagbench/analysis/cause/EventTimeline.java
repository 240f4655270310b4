package org.lagbench.analysis.cause;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
    private static final CauseSpans NEVER = new CauseSpans(List.of());

    private final Map<Cause, CauseSpans> spans = new EnumMap<>(Cause.class);

    /** The spans of all causes of the process: disjoint, ascending. */
    private final List<CauseSpan> ofProcess;

    EventTimeline(Map<Cause, List<CauseSpan>> spans) {
        ofProcess = spans.values().stream()
                .flatMap(List::stream)
                .filter(span -> !span.cause().isOfKernel())
                .sorted(Comparator.comparingLong(CauseSpan::startNs))
                .toList();
        spans.forEach((cause, found) -> this.spans.put(cause, new CauseSpans(found)));
    }

    /**
     * Reads the events of one side.
     *
     * @param capture the file, see {@link EventsCapture}
     * @return null if there is no file: causes were not recorded
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
            boolean isNamed = events.has("program_0");
            int program0 = isNamed ? events.field("program_0") : 0;
            int program8 = isNamed ? events.field("program_8") : 0;
            TimelineBuilder builder = new TimelineBuilder();
            for (long i = 0; i < events.records(); i++) {
                Cause known = Cause.ofCode(events.value(i, cause));
                if (known != null) {
                    String program = isNamed
                            ? EventsCapture.program(events.value(i, program0), events.value(i, program8))
                            : null;
                    builder.add(
                            known, events.value(i, startNs), events.value(i, endNs), events.value(i, tookNs), program);
                }
            }
            return builder.build();
        }
    }

    /**
     * Returns the maximum time that a cause lasted between two times, in ns. A wait of known length at an unknown
     * moment is assumed to fall between them as far as it fits.
     */
    public long overlapNs(Cause cause, long fromNs, long toNs) {
        return toNs <= fromNs ? 0 : spans(cause).overlapNs(fromNs, toNs);
    }

    /** Returns the number of spans of the process, of all causes, that began before a time. */
    int countBefore(long timeNs) {
        int low = 0;
        int high = ofProcess.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ofProcess.get(middle).startNs() < timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the n-th span of the process, from 0, in the order of time. */
    CauseSpan ofProcess(int n) {
        return ofProcess.get(n);
    }

    /** Returns the number of spans of a cause. */
    public int size(Cause cause) {
        return spans(cause).starts.length;
    }

    /** Returns when the n-th span of a cause began, from 0. */
    public long startNs(Cause cause, int n) {
        return spans(cause).starts[n];
    }

    /** Returns when the n-th span of a cause ended, from 0. */
    public long endNs(Cause cause, int n) {
        return spans(cause).ends[n];
    }

    private CauseSpans spans(Cause cause) {
        return spans.getOrDefault(cause, NEVER);
    }

    /** Disjoint time spans of a cause in ascending order, each with the time that the cause lasted in it. */
    private static final class CauseSpans {
        private final long[] starts;
        private final long[] ends;
        private final long[] tookNs;

        /** The total time of the cause before each span. */
        private final long[] sumsNs;

        CauseSpans(List<CauseSpan> spans) {
            starts = spans.stream().mapToLong(CauseSpan::startNs).toArray();
            ends = spans.stream().mapToLong(CauseSpan::endNs).toArray();
            tookNs = spans.stream().mapToLong(CauseSpan::tookNs).toArray();
            sumsNs = new long[starts.length];
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

        /** Returns the index of the first value greater than a limit, or the array's length. */
        private static int firstAfter(long[] values, long value) {
            int found = Arrays.binarySearch(values, value);
            return found >= 0 ? found + 1 : -found - 1;
        }
    }
}
