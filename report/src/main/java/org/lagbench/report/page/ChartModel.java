package org.lagbench.report.page;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.report.figure.ReportCharts.PageDrawing;
import org.lagbench.report.table.Table;

/**
 * A chart that the reader can zoom.
 *
 * @param id by which it is linked to
 * @param label what it is called
 * @param caption what it shows
 * @param firstPanel the name of the vertical axis of the panels that are shown first; null for the uppermost
 * @param drawings one for each run, or one for all
 * @param values the table that it can be read in instead; null if the script makes it of what is in view
 */
public record ChartModel(
        String id,
        String label,
        String caption,
        @Nullable String firstPanel,
        List<PageDrawing> drawings,
        @Nullable Table values) {
    public ChartModel {
        drawings = List.copyOf(drawings);
    }
}
