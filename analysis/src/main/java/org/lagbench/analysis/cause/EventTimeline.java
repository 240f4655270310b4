package org.lagbench.analysis.cause;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Bisection;
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
    /** Disjoint spans of each cause, ascending. */
    private final Map<Cause, List<CauseSpan>> spans;

    /** The spans of all causes of the process, except sleeps: disjoint, ascending. */
    private final List<CauseSpan> ofProcess;

    EventTimeline(Map<Cause, List<CauseSpan>> spans) {
        ofProcess = spans.values().stream()
                .flatMap(List::stream)
                .filter(span -> !span.cause().isOfKernel() && span.cause() != Cause.WIRE_OR_WAKE_UP)
                .sorted(Comparator.comparingLong(CauseSpan::startNs))
                .toList();
        this.spans = spans;
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
        List<CauseSpan> all = spans(cause);
        long sumNs = 0;
        for (int i = countBefore(all, toNs) - 1; i >= 0 && all.get(i).endNs() > fromNs; i--) {
            sumNs += Math.max(0, all.get(i).overlapNs(fromNs, toNs));
        }
        return sumNs;
    }

    /** Returns the number of spans {@link #ofProcess} that began before a time. */
    int countBefore(long timeNs) {
        return countBefore(ofProcess, timeNs);
    }

    /** Returns how many of some spans in the order of time began before a time. */
    static int countBefore(List<CauseSpan> spans, long timeNs) {
        return (int)
                Bisection.first(0, spans.size(), span -> spans.get((int) span).startNs() >= timeNs);
    }

    /** Returns the spans of the process, of all causes except sleeps, in the order of time. */
    List<CauseSpan> ofProcess() {
        return ofProcess;
    }

    /** Returns the spans of a cause, disjoint and in the order of time. */
    public List<CauseSpan> spans(Cause cause) {
        return spans.getOrDefault(cause, List.of());
    }
}
