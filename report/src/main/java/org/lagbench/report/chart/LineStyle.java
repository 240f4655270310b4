package org.lagbench.report.chart;

import java.awt.BasicStroke;
import java.util.Arrays;

/** The color, width in points and dashes of a line. */
public record LineStyle(PlotColor color, BasicStroke stroke) implements Chart.Sample {
    static final LineStyle FRAME = solid(PlotColor.INK, 0.5);
    static final LineStyle GRID = solid(PlotColor.GRID, 0.4);
    static final LineStyle MINOR_TICK = solid(PlotColor.INK, 0.3);

    private static final double SERIES_WIDTH = 0.9;
    private static final double HAIRLINE_WIDTH = 0.45;
    private static final float MITER_LIMIT = 10;

    private static final float[][] DASHES = {{}, {4, 1.6f}, {1.2f, 1.2f}, {6, 1.4f, 1.2f, 1.4f}, {2.4f, 1, 2.4f, 2.4f}};

    /** Returns the style of a line without dashes. */
    static LineStyle solid(PlotColor color, double width) {
        return new LineStyle(color, stroke(width));
    }

    /** Returns the style of one of several curves, from 0. It differs from the others in color and dashes. */
    public static LineStyle ofSeries(int index) {
        return new LineStyle(PlotColor.ofSeries(index), stroke(SERIES_WIDTH, DASHES[index % DASHES.length]));
    }

    /** Returns the style of a curve of many points: thin, without dashes, in the color of one of several curves. */
    public static LineStyle hairline(int index) {
        return solid(PlotColor.ofSeries(index), HAIRLINE_WIDTH);
    }

    /** Returns a line of a page in the style of its run, thin for curves of many points. */
    public static LineStyle ofRun(boolean isThin) {
        return solid(PlotColor.RUN, isThin ? 2 * HAIRLINE_WIDTH : 1.5 * SERIES_WIDTH);
    }

    double width() {
        return stroke.getLineWidth();
    }

    /** Returns the lengths of dashes and gaps as SVG and CSS write them; "" for a continuous line. */
    String dashes() {
        return stroke.getDashArray() == null
                ? ""
                : Arrays.toString(stroke.getDashArray()).replaceAll("[\\[\\],]", "");
    }

    @Override
    public void paintSample(Canvas canvas, double x, double y, double width) {
        canvas.line(this, x, y, x + width, y);
    }

    private static BasicStroke stroke(double width, float... dashes) {
        return new BasicStroke(
                (float) width,
                BasicStroke.CAP_BUTT,
                BasicStroke.JOIN_ROUND,
                MITER_LIMIT,
                dashes.length == 0 ? null : dashes,
                0);
    }
}
