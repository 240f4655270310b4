package org.lagbench.report.chart;

import java.awt.BasicStroke;
import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The color, width in points and dashes of a line; makes layers of one line each. */
public record LineStyle(PlotColor color, BasicStroke stroke) implements Chart.Sample {
    static final LineStyle FRAME = solid(PlotColor.INK, 0.5);
    static final LineStyle GRID = solid(PlotColor.GRID, 0.4);
    static final LineStyle MINOR_TICK = solid(PlotColor.INK, 0.3);

    private static final double SERIES_WIDTH = 0.9;
    private static final double HAIRLINE_WIDTH = 0.45;
    private static final float MITER_LIMIT = 10;
    private static final double DOT_DIAMETER = 1.3;
    private static final double LONE_DOT_WIDTHS = 2.5;
    private static final double BAR_WIDTH = 0.6;
    private static final double CAP = 1.6;

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

    /** Returns a line through points, given in the units of the axes. */
    public Layer line(String name, double[] x, double[] y) {
        return brokenLine(name, x, y, Double.POSITIVE_INFINITY);
    }

    /**
     * Returns a line that joins only neighbors whose x differ by at most {@code maxGap}. A point without a neighbor so
     * close is a dot.
     */
    public Layer brokenLine(String name, double[] x, double[] y, double maxGap) {
        double ofLone = maxGap > 0 ? LONE_DOT_WIDTHS * width() : DOT_DIAMETER;
        double diameter = Math.max(DOT_DIAMETER, ofLone);
        Layer painted = (canvas, frame) -> {
            Path2D lines = new Path2D.Double();
            List<Point2D> dots = new ArrayList<>();
            for (int i = 0; i < x.length; i++) {
                boolean isStart = i == 0 || x[i] - x[i - 1] > maxGap;
                boolean isEnd = i == x.length - 1 || x[i + 1] - x[i] > maxGap;
                Point2D at = new Point2D.Double(frame.x(x[i]), frame.y(y[i]));
                if (isStart && isEnd) {
                    dots.add(at);
                } else if (isStart) {
                    lines.moveTo(at.getX(), at.getY());
                } else {
                    lines.lineTo(at.getX(), at.getY());
                }
            }
            canvas.begin("line", name);
            canvas.points(frame, x, y);
            if (lines.getCurrentPoint() != null) {
                canvas.draw(this, lines);
            }
            if (!dots.isEmpty()) {
                canvas.dots(color, diameter, dots);
            }
            canvas.end();
        };
        return Layer.of(
                () -> {
                    LayerData data = new LayerData("line", name, this, x).with("y", y);
                    return maxGap == Double.POSITIVE_INFINITY
                            ? data
                            : data.with("gap", Math.max(-1, maxGap)).with("dot", diameter);
                },
                painted);
    }

    /** Returns a dot at each point, in the color of this style. */
    Layer dots(String name, double[] x, double[] y) {
        return brokenLine(name, x, y, Double.NEGATIVE_INFINITY);
    }

    /** Returns a vertical line from low to high at each x, with caps, in the color of this style. */
    public Layer bars(String name, double[] x, double[] low, double[] high) {
        LineStyle thin = solid(color, BAR_WIDTH);
        return (canvas, frame) -> {
            Path2D path = new Path2D.Double();
            for (int i = 0; i < x.length; i++) {
                double at = frame.x(x[i]);
                for (double end : new double[] {frame.y(low[i]), frame.y(high[i])}) {
                    path.moveTo(at - CAP, end);
                    path.lineTo(at + CAP, end);
                }
                path.moveTo(at, frame.y(low[i]));
                path.lineTo(at, frame.y(high[i]));
            }
            canvas.begin("bars", name);
            if (x.length > 0) {
                canvas.draw(thin, path);
            }
            canvas.end();
        };
    }

    /**
     * Returns the step function that rises from 0 to the y of each point at its x: P(X ≤ x) for a distribution's
     * points.
     */
    Layer stepsTo(String name, double[] x, double[] y) {
        return steps(name, x, y, true);
    }

    /** Returns a function that steps from the y of each point after its x: P(X ≥ x) for a distribution's points. */
    Layer stepsFrom(String name, double[] x, double[] y) {
        return steps(name, x, y, false);
    }

    /**
     * Returns a step function. With {@code isAtPoint}, each step is at its point's x and the first begins at 0;
     * otherwise each is at the x of the previous point.
     */
    private Layer steps(String name, double[] x, double[] y, boolean isAtPoint) {
        Layer painted = (canvas, frame) -> {
            canvas.begin("line", name);
            Path2D path = new Path2D.Double();
            for (int i = 0; i < x.length; i++) {
                if (isAtPoint) {
                    add(path, frame.x(x[i]), frame.y(i == 0 ? 0 : y[i - 1]));
                } else if (i > 0) {
                    add(path, frame.x(x[i - 1]), frame.y(y[i]));
                }
                add(path, frame.x(x[i]), frame.y(y[i]));
            }
            canvas.draw(this, path);
            canvas.end();
        };
        return Layer.of(
                () -> new LayerData("line", name, this, x).with("y", y).with("step", isAtPoint ? "ACROSS" : "UP"),
                painted);
    }

    private static void add(Path2D path, double x, double y) {
        if (path.getCurrentPoint() == null) {
            path.moveTo(x, y);
        } else {
            path.lineTo(x, y);
        }
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
