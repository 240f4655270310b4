package org.lagbench.report.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * Charts as parts of a page: SVG in the colors and the font of the page, without title and notes, which the page sets
 * as text. The painter is that of the files.
 */
public final class PageSvg {
    private PageSvg() {}

    /** Draws a chart that stays as it is. */
    public static String fixed(Chart chart, String idPrefix) {
        return draw(chart, 0, false, idPrefix);
    }

    /**
     * Draws charts of one column whose panels begin at one place and whose script zooms. The data are values of the
     * axes, exact to 15 digits, in place of positions; the script places them and makes the ticks.
     */
    public static List<String> zoomable(List<Chart> charts, String idPrefix) {
        double left = charts.stream()
                .mapToDouble(chart -> new ChartPainter(chart, TextMeasure.ESTIMATE, 0).left())
                .max()
                .orElse(0);
        List<String> drawn = new ArrayList<>();
        for (Chart chart : charts) {
            drawn.add(draw(chart, left, true, idPrefix + "-" + drawn.size() + "-"));
        }
        return drawn;
    }

    private static String draw(Chart chart, double left, boolean takesValues, String idPrefix) {
        Chart untitled = new Chart("", chart.width(), chart.columns(), chart.rows(), chart.legend(), List.of());
        ChartPainter painter = new ChartPainter(untitled, TextMeasure.ESTIMATE, left);
        SvgCanvas canvas = SvgCanvas.inPage(chart.width(), painter.height(), takesValues, idPrefix);
        painter.paint(canvas);
        return canvas.finish();
    }
}
