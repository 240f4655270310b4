package org.lagbench.report.chart;

import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PacketLoss;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RepeatIntervals;
import org.lagbench.analysis.summary.RoundTrips;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.PointRowChart.Content;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Warnings;

/**
 * All points at a glance: a row for each, with the median and its interval, Q99 and maximum of its lags, or of its
 * round trips, on one logarithmic axis, and with its loss.
 */
final class Overview {
    private static final double DOT = 5;
    private static final double BAR = 3.6;
    private static final double TICK = 3.2;
    private static final double WHISKER = 3.6;
    private static final LineStyle INTERVAL = LineStyle.solid(PlotColor.INK, 0.8);
    private static final double GAP = 4;
    private static final double LIGHTER = 0.45;
    private static final double MAXIMUM_WIDTH = 0.9;
    private static final Mark FROM_SCHEDULE = Mark.of(Mark.Shape.CROSS);

    private Overview() {}

    /** Returns the points that have a row; none if no packet arrived. */
    static List<PointSummary> points(ChartContext context) {
        boolean hasValues = context.points().stream().anyMatch(point -> values(point) != null);
        return hasValues ? context.points() : List.of();
    }

    static String caption(ChartContext context) {
        return "Dot: median; bar: to the 99 % quantile (Q99); tick: maximum"
                + (hasSchedule(context)
                        ? "; ×: Q99 from the scheduled time, which coordinated omission would hide"
                        : "")
                + (context.points().stream().anyMatch(point -> interval(point) != null)
                        ? "; whiskers: 95 % interval of the median over the repeats"
                        : "")
                + (context.points().stream().allMatch(point -> loss(point).isEmpty()) ? "." : "; red: packets lost.");
    }

    static Chart chart(ChartContext context, boolean isNarrow) {
        List<PointSummary> points = points(context);
        DoubleSummaryStatistics range = points.stream()
                .flatMap(point -> ns(point).values().stream())
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        boolean isRoundTrip = points.stream().anyMatch(point -> point.pooled().get(MetricGroup.ROUND_TRIPS) != null);
        String quantity = isRoundTrip ? "round trip" : "transmit lag";
        return PointRowChart.of(
                context,
                points,
                isNarrow,
                "Overview of the " + quantity,
                Axis.logarithmicUs(quantity, range.getMin(), range.getMax()),
                List.of(),
                List.of(caption(context)),
                Overview::content,
                (canvas, frame, point, y) -> paint(canvas, frame, context, point, y));
    }

    /** Returns the durations of a row in ns by their names. */
    private static Map<String, Double> ns(PointSummary point) {
        Map<String, Double> ns = new LinkedHashMap<>();
        SeriesStatistics values = values(point);
        if (values != null) {
            ns.put("median", values.medianNs());
            Interval interval = interval(point);
            if (interval != null) {
                ns.put("95 % interval from", interval.low());
                ns.put("to", interval.high());
            }
            ns.put("Q99", q99(values));
            ns.put("maximum", values.maximumNs());
        }
        SeriesStatistics schedule = fromSchedule(point);
        if (schedule != null) {
            ns.put("Q99 from the scheduled time", q99(schedule));
        }
        return ns;
    }

    /** Returns a row: "median 33.0 µs, Q99 57.1 µs, maximum 1.20 ms, none lost". */
    private static Content content(PointSummary point) {
        List<String> words = new ArrayList<>();
        List<String> cells = new ArrayList<>();
        ns(point).forEach((name, value) -> {
            words.add(name + " " + Numbers.duration(value));
            cells.add(name + " (µs)=" + us(value));
        });
        words.add(loss(point).isEmpty() ? "none lost" : loss(point));
        PacketLoss packets = point.pooled().loss();
        cells.add("sent=" + packets.sent());
        cells.add("lost=" + packets.lost());
        return new Content(String.join(", ", words), String.join("|", cells));
    }

    private static void paint(Canvas canvas, Frame frame, ChartContext context, PointSummary point, double y) {
        SeriesStatistics values = values(point);
        PlotColor color = PlotColor.ofSeries(context.seriesOf(point));
        double from = frame.area().getX();
        double until = from;
        canvas.line(LineStyle.GRID, from, y, frame.area().getMaxX(), y);
        if (values != null) {
            from = frame.x(us(values.medianNs()));
            double q99 = frame.x(us(q99(values)));
            until = frame.x(us(values.maximumNs()));
            LineStyle line = LineStyle.solid(color, MAXIMUM_WIDTH);
            canvas.fill(color.lighter(LIGHTER), new Rectangle2D.Double(from, y - BAR / 2, q99 - from, BAR));
            canvas.line(line, q99, y, until, y);
            canvas.line(line, until, y - TICK, until, y + TICK);
            canvas.dots(color, DOT, List.of(new Point2D.Double(from, y)));
            Interval interval = interval(point);
            if (interval != null) {
                double low = frame.x(us(interval.low()));
                double high = frame.x(us(interval.high()));
                from = Math.min(from, low);
                canvas.line(INTERVAL, low, y, high, y);
                canvas.line(INTERVAL, low, y - WHISKER, low, y + WHISKER);
                canvas.line(INTERVAL, high, y - WHISKER, high, y + WHISKER);
            }
        }
        SeriesStatistics schedule = fromSchedule(point);
        if (schedule != null) {
            FROM_SCHEDULE.paint(canvas, frame.x(us(q99(schedule))), y);
            until = Math.max(until, frame.x(us(q99(schedule))));
        }
        paintLoss(canvas, frame, loss(point), from, until, y);
    }

    /** Writes the loss after the maximum, or before the median, or above the line if there is no room. */
    private static void paintLoss(Canvas canvas, Frame frame, String loss, double from, double until, double y) {
        if (loss.isEmpty()) {
            return;
        }
        double width = TextStyle.LOSS.estimatedWidth(loss);
        double right = frame.area().getMaxX();
        double middle = y + TextStyle.LOSS.size() * 0.35;
        if (until + GAP + width <= right) {
            canvas.text(loss, TextStyle.LOSS, Canvas.Anchor.START, until + GAP, middle);
        } else if (from - WHISKER - GAP - width >= frame.area().getX()) {
            canvas.text(loss, TextStyle.LOSS, Canvas.Anchor.END, from - WHISKER - GAP, middle);
        } else {
            canvas.text(loss, TextStyle.LOSS, Canvas.Anchor.END, right - GAP / 2, y - GAP);
        }
    }

    private static String loss(PointSummary point) {
        return point.pooled().loss().lost() == 0 ? "" : Warnings.loss(point) + "\u00A0% lost";
    }

    private static boolean hasSchedule(ChartContext context) {
        return context.points().stream().anyMatch(point -> fromSchedule(point) != null);
    }

    /** Returns the round trips, or the lags; null if there are none. */
    private static @Nullable SeriesStatistics values(PointSummary point) {
        RoundTrips trips = point.pooled().get(MetricGroup.ROUND_TRIPS);
        return known(trips == null ? point.pooled().series().get(PacketDelay.TRANSMIT_LAG) : trips.roundTrip());
    }

    /** Returns the interval of the median over the repeats, in ns; null with fewer than {@link RepeatIntervals#MIN}. */
    private static @Nullable Interval interval(PointSummary point) {
        Metric<?> metric =
                point.pooled().get(MetricGroup.ROUND_TRIPS) == null ? MainMetrics.LAG : MainMetrics.ROUND_TRIP;
        double[] ns = point.byRepeat(metric).values().stream()
                .mapToDouble(us -> us * Units.NS_PER_US)
                .toArray();
        Interval median = Interval.ofRanks(ns);
        return median.hasEnds() ? median : null;
    }

    private static @Nullable SeriesStatistics fromSchedule(PointSummary point) {
        return point.pooled().get(MetricGroup.ROUND_TRIPS) == null
                ? known(point.pooled().series().get(PacketDelay.LAG_FROM_SCHEDULE))
                : null;
    }

    private static @Nullable SeriesStatistics known(@Nullable SeriesStatistics statistics) {
        return statistics == null || statistics.n() == 0 ? null : statistics;
    }

    private static double q99(SeriesStatistics values) {
        return values.withoutQ99().quantileNs();
    }

    private static double us(double ns) {
        return ns / Units.NS_PER_US;
    }
}
