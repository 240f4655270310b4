package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
    public static ReportChart ofFixed(String id, String title, String caption, List<Chart> charts) {
        List<PageDrawing> drawings = new ArrayList<>();
        for (Chart chart : charts) {
            String kind = chart.width() > Chart.ONE_COLUMN ? "broad" : "";
            String svg = PageSvg.fixed(chart, id + "-" + drawings.size() + "-", kind);
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
}
