package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.lagbench.analysis.cause.EventTimeline;
import org.lagbench.analysis.cause.Side;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * What went on while the packets of a run were under way that may have delayed them, in ns since the first packet was
 * sent, each by the clock of its own side.
 *
 * @param longest the longest of them, in the order of their beginning
 * @param leftOut how many shorter ones there are
 */
record EventSpans(List<EventSpan> longest, long leftOut) {
    private static final int MOST = 400;

    /**
     * One of them.
     *
     * @param what it was
     * @param fromNs when it began
     * @param untilNs when it ended
     */
    record EventSpan(SideCause what, long fromNs, long untilNs) {
        private long durationNs() {
            return untilNs - fromNs;
        }
    }

    static EventSpans of(Path directory, JoinedRun run) throws LagbenchException {
        List<EventSpan> spans = new ArrayList<>();
        if (run.sent() > 0 && run.received() > 0) {
            long fromNs = run.sentNs(0);
            long untilNs = run.receivedNs(run.received() - 1);
            collect(directory.resolve(EventsCapture.SENDER_FILE_NAME), Side.SENDER, fromNs, untilNs, spans);
            collect(directory.resolve(EventsCapture.RECEIVER_FILE_NAME), Side.RECEIVER, fromNs, untilNs, spans);
        }
        spans.sort(Comparator.comparingLong(EventSpan::durationNs)
                .reversed()
                .thenComparingLong(EventSpan::fromNs)
                .thenComparing(span -> span.what().side())
                .thenComparing(span -> span.what().cause()));
        List<EventSpan> longest = new ArrayList<>(spans.subList(0, Math.min(MOST, spans.size())));
        longest.sort(Comparator.comparingLong(EventSpan::fromNs));
        return new EventSpans(List.copyOf(longest), spans.size() - longest.size());
    }

    private static void collect(Path file, Side side, long fromNs, long untilNs, List<EventSpan> spans)
            throws LagbenchException {
        EventTimeline timeline = EventTimeline.read(file);
        if (timeline == null) {
            return;
        }
        for (Cause cause : Cause.values()) {
            for (int i = 0; i < timeline.size(cause); i++) {
                long start = Math.max(fromNs, timeline.startNs(cause, i));
                long end = Math.min(untilNs, timeline.endNs(cause, i));
                if (start < end) {
                    spans.add(new EventSpan(new SideCause(side, cause), start - fromNs, end - fromNs));
                }
            }
        }
    }
}
