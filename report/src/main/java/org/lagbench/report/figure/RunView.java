package org.lagbench.report.figure;

import java.nio.file.Path;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.report.plot.LineStyle;

/**
 * A run that is drawn: for a file, or for a page that can be zoomed.
 *
 * @param context the session
 * @param point its point
 * @param summary its figures
 * @param run its captures
 * @param columns of how many stretches of a curve the extremes are kept
 * @param isZoomable whether the chart is for a page: all of the run, one panel high, in the color of the run
 */
record RunView(
        FigureContext context, PointSummary point, RunSummary summary, JoinedRun run, int columns, boolean isZoomable) {
    /** A pixel each at 300 dots an inch. */
    static final int PRINTED_COLUMNS = 2_000;

    private static final double ZOOMABLE_HEIGHT = 75;

    /** What tells the point apart, for the title. */
    String pointName() {
        return context.names().full(point.point());
    }

    Path directory() {
        return context.directory(summary.name()).path();
    }

    LineStyle style(int series) {
        return isZoomable ? LineStyle.ofRun(true) : LineStyle.hairline(series);
    }

    double height(double printed) {
        return isZoomable ? ZOOMABLE_HEIGHT : printed;
    }

    /** The unit of a time axis: that of all runs, where they are on one page. */
    TimeUnit timeUnit(double endNs) {
        return isZoomable ? TimeUnit.MILLISECONDS : TimeUnit.ofDuration(endNs);
    }
}
