package org.lagbench.report.chart;

import java.awt.geom.Path2D;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.EventTimeline;
import org.lagbench.analysis.cause.EventTimeline.CauseSpan;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.clock.StampStep;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.ClockEffect.RunStep;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.clock.NanosecondsText;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.TimeScale;

/** A row of panels for the steps of the clocks, and a row per side with a lane for each cause that occurred there. */
final class CauseLanes {
    /** The maximum number of events of a run in a page; the longest are kept. */
    private static final int MAX_ZOOMABLE = 400;

    private static final double MIN_WIDTH = 0.6;
    private static final double LANE_THICKNESS = 6.2;
    private static final double WORDS_GAP = 2;
    private static final double LANE_HEIGHT = 10;

    /** The minimum height of a row, which the name of the side needs. */
    private static final double MIN_HEIGHT = 34;

    /**
     * An event, in ns since the start of the time axis.
     *
     * @param count number of events that are drawn as this one
     */
    private record Event(Role side, Cause cause, long fromNs, long toNs, int count) {
        long durationNs() {
            return toNs - fromNs;
        }

        /** Returns "40.1 ms", or "3 in 40.1 ms". */
        String words() {
            return (count == 1 ? "" : Numbers.grouped(count) + " in ") + Numbers.duration((double) durationNs());
        }
    }

    /**
     * An interval on the axis, in its unit.
     *
     * @param words the label next to it; "" for none
     */
    private record Span(double from, double to, String words) {
        private boolean hasWords() {
            return !words.isEmpty();
        }
    }

    private CauseLanes() {}

    /**
     * Returns the rows below a chart over the time since the first packet was sent. In a file, events that are too
     * close to be seen apart are merged.
     *
     * @param endNs the end of the time axis
     * @param unit of the time axis
     * @return no rows if no clock was stepped and no causes were recorded
     */
    static List<Row> of(RunView view, long endNs, TimeScale unit) throws LagbenchException {
        List<Event> events = new ArrayList<>();
        if (view.directory().isIntact(RunCauses.FILES)) {
            collect(view, Role.SENDER, EventTimeline.ofSender(view.run()), endNs, events);
            collect(view, Role.RECEIVER, EventTimeline.ofReceiver(view.run()), endNs, events);
        }
        if (view.isZoomable() && events.size() > MAX_ZOOMABLE) {
            List<Event> longest = new ArrayList<>(events);
            longest.sort(Comparator.comparingLong(Event::durationNs).reversed());
            events.retainAll(longest.subList(0, MAX_ZOOMABLE));
        }
        List<Row> rows = new ArrayList<>();
        addSteps(rows, view, endNs, unit);
        addRow(rows, Role.SENDER, events, unit, !view.isZoomable());
        addRow(rows, Role.RECEIVER, events, unit, !view.isZoomable());
        return rows;
    }

    /** Adds a row of the steps of the clocks, each with how much the receiver's clock gained. */
    private static void addSteps(List<Row> rows, RunView view, long endNs, TimeScale unit) throws LagbenchException {
        long beginNs = view.run().sentNs(0);
        List<Span> spans = new ArrayList<>();
        for (RunStep step : view.summary().metrics().clock().steps()) {
            StampStep shown = step.step();
            long fromNs = Math.max(0, Math.min(shown.afterNs(), shown.beforeNs()) - beginNs);
            long toNs = Math.min(endNs, Math.max(shown.afterNs(), shown.beforeNs()) - beginNs);
            Long sizeNs = shown.sizeNs();
            if (fromNs <= toNs) {
                spans.add(new Span(
                        unit.of((double) fromNs),
                        unit.of((double) toNs),
                        sizeNs == null ? "of unknown size" : NanosecondsText.signed(sizeNs)));
            }
        }
        if (!spans.isEmpty()) {
            rows.add(Row.of(
                    Axis.categories("clocks", List.of("clock step")),
                    MIN_HEIGHT,
                    List.of(layer("Clock step", rows.size(), 0, spans))));
        }
    }

    /**
     * Returns the spans of one lane.
     *
     * @param isNamed whether to label the longest span with its duration; in a page that can be zoomed the script does
     *     that
     */
    private static List<Span> spans(List<Event> events, TimeScale unit, boolean isNamed) {
        Event longest = Collections.max(events, Comparator.comparingLong(Event::durationNs));
        return events.stream()
                .map(event -> new Span(
                        unit.of((double) event.fromNs()),
                        unit.of((double) event.toNs()),
                        isNamed && event.equals(longest) ? event.words() : ""))
                .toList();
    }

    private static void addRow(List<Row> rows, Role side, List<Event> events, TimeScale unit, boolean isNamed) {
        List<String> lanes = new ArrayList<>();
        List<Layer> layers = new ArrayList<>();
        List<Cause> lowestRankFirst = new ArrayList<>(List.of(Cause.values()));
        Collections.reverse(lowestRankFirst);
        for (Cause cause : lowestRankFirst) {
            List<Event> ofCause = events.stream()
                    .filter(event -> event.side() == side && event.cause() == cause)
                    .toList();
            if (!ofCause.isEmpty()) {
                List<Span> spans = spans(ofCause, unit, isNamed);
                layers.add(layer(cause.title() + " at the " + side.text(), rows.size(), lanes.size(), spans));
                lanes.add(
                        cause.title().startsWith("JIT")
                                ? cause.title()
                                : cause.title().toLowerCase(Locale.ROOT));
            }
        }
        if (!lanes.isEmpty()) {
            rows.add(Row.of(
                    Axis.categories(side.text(), lanes), Math.max(MIN_HEIGHT, lanes.size() * LANE_HEIGHT), layers));
        }
    }

    private static void collect(
            RunView view, Role side, @Nullable EventTimeline timeline, long endNs, List<Event> events)
            throws LagbenchException {
        if (timeline == null) {
            return;
        }
        JoinedRun run = view.run();
        long beginNs = run.sentNs(0);
        // events until the last arrival may have delayed packets that were sent before the axis ends
        long lastNs = view.isZoomable() ? Math.max(endNs, run.receivedNs(run.received() - 1) - beginNs) : endNs;
        long mergedGapNs = view.isZoomable() ? 0 : endNs / view.columns();
        for (Cause cause : EnumSet.complementOf(EnumSet.of(Cause.WIRE_OR_WAKE_UP))) { // a thread mostly sleeps
            Event last = null;
            for (CauseSpan span : timeline.spans(cause)) {
                long startsNs = span.startNs() - beginNs;
                long endsNs = span.endNs() - beginNs;
                if (endsNs < 0 || startsNs > lastNs) {
                    continue;
                }
                if (last != null && startsNs - last.toNs() <= mergedGapNs) {
                    events.remove(events.size() - 1);
                    last = new Event(side, cause, last.fromNs(), Math.max(last.toNs(), endsNs), last.count() + 1);
                } else {
                    last = new Event(side, cause, startsNs, endsNs, 1);
                }
                events.add(last);
            }
        }
    }

    /**
     * Returns stretches of the horizontal axis in one lane, each wide enough to be seen.
     *
     * @param series the index of the lane's color
     * @param lane a category of the vertical axis, from 0
     */
    private static Layer layer(String name, int series, int lane, List<Span> spans) {
        LineStyle style = LineStyle.solid(PlotColor.ofSeries(series), LANE_THICKNESS);
        Layer painted = (canvas, frame) -> {
            Path2D path = new Path2D.Double();
            double y = frame.y(lane + 0.5);
            for (Span span : spans) {
                double x = frame.x(span.from());
                path.moveTo(x, y);
                path.lineTo(Math.max(x + MIN_WIDTH, frame.x(span.to())), y);
            }
            canvas.begin("spans", name);
            canvas.draw(style, path);
            spans.stream().filter(Span::hasWords).forEach(span -> paintWords(canvas, frame, span, y));
            canvas.end();
        };
        return Layer.of(
                () -> new LayerData("spans", name, style, ends(spans, Span::from))
                        .with("to", ends(spans, Span::to))
                        .with("lane", lane)
                        .with("words", spans.stream().map(Span::words).toList()),
                painted);
    }

    private static double[] ends(List<Span> spans, ToDoubleFunction<Span> end) {
        return spans.stream().mapToDouble(end).toArray();
    }

    /** Writes the words on the side of the span where there is more room. */
    private static void paintWords(Canvas canvas, Frame frame, Span span, double y) {
        double from = frame.x(span.from());
        double to = Math.max(from + MIN_WIDTH, frame.x(span.to()));
        boolean isAfter = frame.area().getMaxX() - to >= from - frame.area().getX();
        canvas.text(
                span.words(),
                TextStyle.TICK,
                isAfter ? Canvas.Anchor.START : Canvas.Anchor.END,
                isAfter ? to + WORDS_GAP : from - WORDS_GAP,
                y + TextStyle.TICK.size() * 0.35);
    }
}
