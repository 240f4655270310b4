package org.lagbench.report.chart;

/** A sample of a style next to a label of the legend. */
public sealed interface Sample permits LineStyle, Mark, Fill {
    /** Paints the sample from x to x + width, its middle at y. */
    void paintSample(Canvas canvas, double x, double y, double width);
}
