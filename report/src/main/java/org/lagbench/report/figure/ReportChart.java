package org.lagbench.report.figure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.report.table.Table;

/**
 * A chart of a session's report.
 *
 * @param id by which it is linked to
 * @param title the heading of its section
 * @param label what it is called
 * @param caption what it shows
 * @param isZoomable whether a script can zoom it
 * @param firstPanel the name of the vertical axis of the panels that are shown first; null for the uppermost
 * @param drawings one for each run, for each point or for all, at least one
 * @param values the table that it can be read in instead; null if the script makes it of what is in view
 */
public record ReportChart(
        String id,
        String title,
        String label,
        String caption,
        boolean isZoomable,
        @Nullable String firstPanel,
        List<PageDrawing> drawings,
        @Nullable Table values) {
    public ReportChart {
        drawings = List.copyOf(drawings);
    }

    /**
     * A drawing in a page.
     *
     * @param run the number of its run, from 0 in the order of the summary; null if it is not of one run
     * @param title its heading, or ""
     * @param svg the element
     * @param notes what is said below it
     */
    public record PageDrawing(@Nullable Integer run, String title, String svg, List<String> notes) {}
}
