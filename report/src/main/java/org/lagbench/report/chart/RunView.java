package org.lagbench.report.chart;

import java.nio.file.Path;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;

/**
 * A run to draw, for a file or for a page with zoom.
 *
 * @param run its captures
 * @param columns the number of stretches of a curve whose extremes are kept
 * @param isZoomable whether the chart is for a page: all of the run, one panel high, in the color of the run
 */
record RunView(
        FigureContext context, PointSummary point, RunSummary summary, JoinedRun run, int columns, boolean isZoomable) {
    /** The columns of a thinned curve in a file: one pixel each at 300 dots per inch. */
    static final int PRINTED_COLUMNS = 2_000;

    private static final double ZOOMABLE_HEIGHT = 75;

    /** Returns the name of the point for the title. */
    String pointName() {
        return context.names().full(point.point());
    }

    Path directory() {
        return context.directory(summary.name());
    }

    LineStyle style(int series) {
        return isZoomable ? LineStyle.ofRun(true) : LineStyle.hairline(series);
    }

    double height(double printed) {
        return isZoomable ? ZOOMABLE_HEIGHT : printed;
    }

    /** Returns the unit of a time axis, the same for all runs of a page. */
    TimeUnit timeUnit(double endNs) {
        return isZoomable ? TimeUnit.MILLISECONDS : TimeUnit.ofDuration(endNs);
    }
}
