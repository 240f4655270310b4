package org.lagbench.report.page;

import java.util.List;
import org.lagbench.report.figure.ReportCharts.PageDrawing;

/**
 * What lags are made of.
 *
 * @param drawings one for each point
 */
public record StagesModel(List<PageDrawing> drawings) {
    public StagesModel {
        drawings = List.copyOf(drawings);
    }
}
