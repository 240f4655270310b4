package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.table.Table;

/**
 * A chart of a session's report.
 *
 * @param id its section's anchor
 * @param title the heading of its section, and its accessible name
 * @param isZoomable whether a script can zoom it
 * @param firstPanel the name of the vertical axis of the panels shown first; null for the uppermost
 * @param drawings one for each run, for each point or for all; at least one
 * @param values the chart as a table; null if the script makes one of the visible part
 */
public record ReportChart(
        String id,
        String title,
        String caption,
        boolean isZoomable,
        @Nullable String firstPanel,
        List<PageDrawing> drawings,
        @Nullable Table values) {
    /** Returns charts without zoom. */
    public static ReportChart withoutZoom(String id, String title, String caption, List<Chart> charts) {
        List<PageDrawing> drawings = new ArrayList<>();
        for (Chart chart : charts) {
            String kind = chart.width() > Chart.ONE_COLUMN ? "broad" : "";
            String svg = fixed(chart, id + "-" + drawings.size() + "-", kind);
            drawings.add(new PageDrawing(null, chart.title(), svg, chart.notes()));
        }
        return new ReportChart(id, title, caption, false, null, drawings, null);
    }

    /**
     * A drawing in a page.
     *
     * @param run the index of its run in the summary; null if it does not show a single run
     * @param title its heading, or ""
     * @param svg the element
     * @param notes the paragraphs below it
     */
    public record PageDrawing(@Nullable Integer run, String title, String svg, List<String> notes) {}

    /**
     * Returns a chart as an SVG element without zoom: a picture, or with a class one whose parts the keyboard can
     * reach.
     */
    static String fixed(Chart chart, String idPrefix, String kind) {
        return draw(chart, 0, false, idPrefix, kind);
    }

    /**
     * Returns charts of one column for the page's script to zoom, their panels aligned at the left. The data are values
     * of the axes, exact to 15 digits, instead of positions. The script places them and makes the ticks.
     */
    public static List<String> zoomable(List<Chart> charts, String idPrefix) {
        double left = charts.stream()
                .mapToDouble(chart -> new ChartPainter(chart, TextStyle::estimatedWidth, 0).left())
                .max()
                .orElse(0);
        List<String> drawn = new ArrayList<>();
        for (Chart chart : charts) {
            drawn.add(draw(chart, left, true, idPrefix + "-" + drawn.size() + "-", ""));
        }
        return drawn;
    }

    private static String draw(Chart chart, double left, boolean takesValues, String idPrefix, String kind) {
        List<Column> columns = takesValues
                ? chart.columns().stream()
                        .map(column -> new Column("", column.axis()))
                        .toList()
                : chart.columns();
        Chart untitled = new Chart("", chart.width(), columns, chart.rows(), chart.legend(), List.of());
        ChartPainter painter = new ChartPainter(untitled, TextStyle::estimatedWidth, left);
        SvgCanvas canvas =
                SvgCanvas.inPage(chart.width(), painter.height(), takesValues, idPrefix, kind, chart.title());
        painter.paint(canvas);
        return canvas.finish();
    }
}
