package org.lagbench.report.figure;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.lagbench.analysis.cause.EventTimeline;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Fill;
import org.lagbench.report.plot.Layer;
import org.lagbench.report.plot.Spans;
import org.lagbench.report.plot.Spans.Span;

/** A row of panels for each side, with a lane for each cause that went on there. */
final class CauseLanes {
    private static final double LANE_HEIGHT = 10;

    private CauseLanes() {}

    /**
     * The rows below a figure over time.
     *
     * @param directory of the run
     * @param beginNs where the time axis begins, CLOCK_REALTIME in ns
     * @param endNs where it ends, ns after that
     * @param unit of the time axis
     * @param columns how finely time can be seen: what is closer together than one becomes one stretch
     * @return none if causes were not recorded, or nothing went on
     */
    static List<Row> of(Path directory, long beginNs, long endNs, TimeUnit unit, int columns) throws LagbenchException {
        List<Row> rows = new ArrayList<>();
        for (String file : List.of(EventsCapture.SENDER_FILE_NAME, EventsCapture.RECEIVER_FILE_NAME)) {
            EventTimeline timeline = EventTimeline.read(directory.resolve(file));
            if (timeline != null) {
                String side = file.equals(EventsCapture.SENDER_FILE_NAME) ? "sender" : "receiver";
                addRow(rows, side, timeline, beginNs, endNs, unit, columns);
            }
        }
        return rows;
    }

    private static void addRow(
            List<Row> rows, String side, EventTimeline timeline, long beginNs, long endNs, TimeUnit unit, int columns) {
        List<String> lanes = new ArrayList<>();
        List<Layer> layers = new ArrayList<>();
        List<Cause> lowestRankFirst = new ArrayList<>(List.of(Cause.values()));
        Collections.reverse(lowestRankFirst);
        for (Cause cause : lowestRankFirst) {
            List<Span> spans = spans(timeline, cause, beginNs, endNs, unit, columns);
            if (!spans.isEmpty()) {
                layers.add(Spans.inLane(cause.text(), Fill.solid(rows.size()), lanes.size(), spans));
                lanes.add(
                        cause.title().startsWith("JIT")
                                ? cause.title()
                                : cause.title().toLowerCase(Locale.ROOT));
            }
        }
        if (!lanes.isEmpty()) {
            rows.add(new Row(Axis.categories(side, lanes), lanes.size() * LANE_HEIGHT, List.of(new Panel(layers))));
        }
    }

    private static List<Span> spans(
            EventTimeline timeline, Cause cause, long beginNs, long endNs, TimeUnit unit, int columns) {
        long togetherNs = endNs / columns;
        List<Span> spans = new ArrayList<>();
        long fromNs = Long.MIN_VALUE;
        long toNs = Long.MIN_VALUE;
        for (int i = 0; i < timeline.size(cause); i++) {
            long startsNs = timeline.startNs(cause, i) - beginNs;
            long endsNs = timeline.endNs(cause, i) - beginNs;
            if (endsNs < 0 || startsNs > endNs) {
                continue;
            }
            if (fromNs != Long.MIN_VALUE && startsNs - toNs <= togetherNs) {
                toNs = Math.max(toNs, endsNs);
            } else {
                add(spans, fromNs, toNs, unit);
                fromNs = startsNs;
                toNs = endsNs;
            }
        }
        add(spans, fromNs, toNs, unit);
        return spans;
    }

    private static void add(List<Span> spans, long fromNs, long toNs, TimeUnit unit) {
        if (fromNs != Long.MIN_VALUE) {
            spans.add(new Span(unit.of((double) fromNs), unit.of((double) toNs)));
        }
    }
}
