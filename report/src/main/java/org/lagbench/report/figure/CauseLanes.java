package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.lagbench.analysis.cause.EventTimeline;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Layer;
import org.lagbench.report.plot.Spans;
import org.lagbench.report.plot.Spans.Span;

/** A row of panels for each side, with a lane for each cause that went on there. */
final class CauseLanes {
    /** As many events of a run are in a page at most: those of the longest duration. */
    private static final int MOST_ZOOMABLE = 400;

    private static final double LANE_HEIGHT = 10;

    /** So that the name of the side has room. */
    private static final double LEAST_HEIGHT = 34;

    /** What went on, in ns since the time axis began. */
    private record Event(String side, Cause cause, long fromNs, long toNs) {
        long durationNs() {
            return toNs - fromNs;
        }
    }

    private CauseLanes() {}

    /**
     * The rows below a figure over the time since the first packet was sent. In a file, events that are closer together
     * than can be seen are one.
     *
     * @param endNs where the time axis ends
     * @param unit of the time axis
     * @return none if causes were not recorded, or nothing went on
     */
    static List<Row> of(RunView view, long endNs, TimeUnit unit) throws LagbenchException {
        List<Event> events = new ArrayList<>();
        collect(view, "sender", EventsCapture.SENDER_FILE_NAME, endNs, events);
        collect(view, "receiver", EventsCapture.RECEIVER_FILE_NAME, endNs, events);
        if (view.isZoomable() && events.size() > MOST_ZOOMABLE) {
            List<Event> longest = new ArrayList<>(events);
            longest.sort(Comparator.comparingLong(Event::durationNs).reversed());
            events.retainAll(longest.subList(0, MOST_ZOOMABLE));
        }
        List<Row> rows = new ArrayList<>();
        addRow(rows, "sender", events, unit);
        addRow(rows, "receiver", events, unit);
        return rows;
    }

    private static void addRow(List<Row> rows, String side, List<Event> events, TimeUnit unit) {
        List<String> lanes = new ArrayList<>();
        List<Layer> layers = new ArrayList<>();
        List<Cause> lowestRankFirst = new ArrayList<>(List.of(Cause.values()));
        Collections.reverse(lowestRankFirst);
        for (Cause cause : lowestRankFirst) {
            List<Span> spans = events.stream()
                    .filter(event -> event.side().equals(side) && event.cause() == cause)
                    .map(event -> new Span(unit.of((double) event.fromNs()), unit.of((double) event.toNs())))
                    .toList();
            if (!spans.isEmpty()) {
                layers.add(new Spans(cause.title() + " at the " + side, rows.size(), lanes.size(), spans));
                lanes.add(
                        cause.title().startsWith("JIT")
                                ? cause.title()
                                : cause.title().toLowerCase(Locale.ROOT));
            }
        }
        if (!lanes.isEmpty()) {
            rows.add(new Row(
                    Axis.categories(side, lanes),
                    Math.max(LEAST_HEIGHT, lanes.size() * LANE_HEIGHT),
                    List.of(new Panel(layers))));
        }
    }

    private static void collect(RunView view, String side, String file, long endNs, List<Event> events)
            throws LagbenchException {
        EventTimeline timeline = EventTimeline.read(view.directory().resolve(file));
        if (timeline == null) {
            return;
        }
        long beginNs = view.run().sentNs(0);
        long lastNs = view.isZoomable() ? lastArrivalNs(view.run(), endNs) : endNs;
        long togetherNs = view.isZoomable() ? 0 : endNs / view.columns();
        for (Cause cause : Cause.values()) {
            Event last = null;
            for (int i = 0; i < timeline.size(cause); i++) {
                long startsNs = timeline.startNs(cause, i) - beginNs;
                long endsNs = timeline.endNs(cause, i) - beginNs;
                if (endsNs < 0 || startsNs > lastNs) {
                    continue;
                }
                if (last != null && startsNs - last.toNs() <= togetherNs) {
                    events.remove(events.size() - 1);
                    last = new Event(side, cause, last.fromNs(), Math.max(last.toNs(), endsNs));
                } else {
                    last = new Event(side, cause, startsNs, endsNs);
                }
                events.add(last);
            }
        }
    }

    /** What goes on until then may have delayed a packet that was sent before the axis ends. */
    private static long lastArrivalNs(JoinedRun run, long endNs) throws LagbenchException {
        return Math.max(endNs, run.receivedNs(run.received() - 1) - run.sentNs(0));
    }
}
