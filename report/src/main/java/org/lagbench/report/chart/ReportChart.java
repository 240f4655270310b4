package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.report.table.Table;
import tools.jackson.databind.json.JsonMapper;

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
    private static final JsonMapper JSON = JsonMapper.builder().build();

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
     * @param content the SVG element, or the data of a chart with zoom
     * @param notes the paragraphs below it
     */
    public record PageDrawing(@Nullable Integer run, String title, String content, List<String> notes) {}

    /**
     * Returns a chart as an SVG element without zoom: a picture, or with a class one whose parts the keyboard can
     * reach.
     */
    static String fixed(Chart chart, String idPrefix, String kind) {
        Chart untitled = new Chart("", chart.width(), chart.columns(), chart.rows(), chart.legend(), List.of());
        ChartPainter painter = new ChartPainter(untitled, TextStyle::estimatedWidth);
        SvgCanvas canvas = SvgCanvas.inPage(chart.width(), painter.height(), idPrefix, kind, chart.title());
        painter.paint(canvas);
        return canvas.finish();
    }

    /** Returns a chart of one column as the data from which the script of a page draws it (drawing.js). */
    public static String zoomable(Chart chart) {
        Map<String, Object> horizontal = axis(chart.columns().get(0).axis());
        List<Map<String, Object>> panels = chart.rows().stream()
                .map(row -> Map.of(
                        "height",
                        row.height(),
                        "x",
                        horizontal,
                        "y",
                        axis(row.axis()),
                        "layers",
                        row.panels().get(0).stream()
                                .map(layer ->
                                        Objects.requireNonNull(layer.data()).members())
                                .toList()))
                .toList();
        return JSON.writeValueAsString(new TreeMap<>(Map.of("title", chart.title(), "panels", panels)))
                .replace("<", "\\u003c");
    }

    private static Map<String, Object> axis(Axis axis) {
        return new TreeMap<>(Map.of(
                "label", axis.label(),
                "scale", axis.scale().text(),
                "from", axis.from(),
                "to", axis.to(),
                "categories", axis.categories()));
    }
}
