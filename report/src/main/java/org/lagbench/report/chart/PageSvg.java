package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.report.chart.Chart.Column;

/** Charts as SVG elements of a page, in its colors and font. The page shows titles and notes as text. */
public final class PageSvg {
    private PageSvg() {}

    /** Returns a chart without zoom: a picture, or with a class one whose parts the keyboard can reach. */
    static String fixed(Chart chart, String idPrefix, String kind) {
        return draw(chart, 0, false, idPrefix, kind);
    }

    /**
     * Returns charts of one column for the page's script to zoom, their panels aligned at the left. The data are values
     * of the axes, exact to 15 digits, instead of positions. The script places them and makes the ticks.
     */
    public static List<String> zoomable(List<Chart> charts, String idPrefix) {
        double left = charts.stream()
                .mapToDouble(chart -> new ChartPainter(chart, TextMeasure.ESTIMATE, 0).left())
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
        ChartPainter painter = new ChartPainter(untitled, TextMeasure.ESTIMATE, left);
        SvgCanvas canvas =
                SvgCanvas.inPage(chart.width(), painter.height(), takesValues, idPrefix, kind, chart.title());
        painter.paint(canvas);
        return canvas.finish();
    }
}
