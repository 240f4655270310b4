package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.ReportChart.PageDrawing;

/** A chart with a horizontal row for each point of a session, in the order of the tables. */
final class PointRowChart {
    private static final double WIDE = 620;
    private static final double NARROW = 250;
    private static final double ROW_HEIGHT = 12;
    private static final double NARROW_ROW_HEIGHT = 19;
    private static final double LABEL_BASELINE = 8;

    /** The distance from the middle of a row with a label above its data to the middle of its data. */
    private static final double NARROW_SHIFT = 4.5;

    /**
     * What a row shows.
     *
     * @param text in words
     * @param values for {@link Canvas#values}
     */
    record Content(String text, String values) {}

    /** Paints the row of a point around a y. */
    @FunctionalInterface
    interface RowPainter {
        void paint(Canvas canvas, Frame frame, PointSummary point, double y);
    }

    private PointRowChart() {}

    /** Returns a chart of a report, for wide and for narrow screens; without drawings if there are no points. */
    static ReportChart inReport(
            String id, String title, String caption, List<PointSummary> points, Function<Boolean, Chart> charts) {
        List<PageDrawing> drawings = new ArrayList<>();
        if (!points.isEmpty()) {
            String svg = ReportChart.fixed(charts.apply(false), id + "-wide-", "wide")
                    + ReportChart.fixed(charts.apply(true), id + "-narrow-", "narrow");
            drawings.add(new PageDrawing(null, title, svg, List.of()));
        }
        return new ReportChart(id, title, caption, false, null, drawings, null);
    }

    /**
     * Creates a chart.
     *
     * @param isNarrow whether it is for a phone: the labels are above the data
     * @param contents what the row of a point shows
     */
    static Chart of(
            ChartContext context,
            List<PointSummary> points,
            boolean isNarrow,
            String title,
            Axis axis,
            List<Entry> legend,
            List<String> notes,
            Function<PointSummary, Content> contents,
            RowPainter painter) {
        List<String> names = new ArrayList<>();
        points.forEach(point -> names.add(isNarrow ? "" : context.names().full(point.point())));
        Collections.reverse(names); // the first category of a vertical axis is the lowest
        Layer rows = (canvas, frame) -> {
            for (int i = 0; i < points.size(); i++) {
                PointSummary point = points.get(i);
                double y = frame.y(points.size() - i - 0.5);
                String name = context.names().full(point.point());
                canvas.begin("row", name);
                canvas.attribute("data-series", context.seriesName(point));
                canvas.attribute("data-point", Integer.toString(context.points().indexOf(point)));
                Content content = contents.apply(point);
                canvas.focusable(name + ": " + content.text());
                canvas.values(content::values);
                if (isNarrow) {
                    double top = y - NARROW_ROW_HEIGHT / 2;
                    double x = frame.area().getX() + 2;
                    canvas.text(name, TextStyle.TICK, Canvas.Anchor.START, x, top + LABEL_BASELINE);
                    y += NARROW_SHIFT;
                }
                painter.paint(canvas, frame, point, y);
                canvas.end();
            }
        };
        double height = points.size() * (isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT);
        return new Chart(
                title,
                isNarrow ? NARROW : WIDE,
                axis,
                List.of(Row.of(Axis.categories("", names), height, List.of(rows))),
                legend,
                notes);
    }
}
