package org.lagbench.report.chart;

import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.util.ArrayList;
import java.util.List;

/** Layers of one line each, through points given by x and y in the units of the axes. */
public final class Line {
    private static final double DOT_DIAMETER = 1.3;
    private static final double LONE_DOT_WIDTHS = 2.5;
    private static final double BAR_WIDTH = 0.6;
    private static final double CAP = 1.6;

    private Line() {}

    public static Layer through(String name, LineStyle style, double[] x, double[] y) {
        return broken(name, style, x, y, Double.POSITIVE_INFINITY);
    }

    /**
     * Returns a line that joins only neighbors whose x differ by at most {@code maxGap}. A point without a neighbor so
     * close is a dot.
     */
    public static Layer broken(String name, LineStyle style, double[] x, double[] y, double maxGap) {
        return (canvas, frame) -> {
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
                canvas.draw(style, lines);
            }
            if (!dots.isEmpty()) {
                double ofLone = maxGap > 0 ? LONE_DOT_WIDTHS * style.width() : DOT_DIAMETER;
                canvas.dots(style.color(), Math.max(DOT_DIAMETER, ofLone), dots);
            }
            canvas.end();
        };
    }

    /** Returns a dot at each point. */
    public static Layer dots(String name, LineStyle style, double[] x, double[] y) {
        return broken(name, style, x, y, Double.NEGATIVE_INFINITY);
    }

    /** Returns a vertical line from low to high at each x, with caps, in the color of a style. */
    public static Layer bars(String name, LineStyle style, double[] x, double[] low, double[] high) {
        LineStyle thin = LineStyle.solid(style.color(), BAR_WIDTH);
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
    public static Layer stepsTo(String name, LineStyle style, double[] x, double[] y) {
        return steps(name, style, x, y, true);
    }

    /** Returns a function that steps from the y of each point after its x: P(X ≥ x) for a distribution's points. */
    public static Layer stepsFrom(String name, LineStyle style, double[] x, double[] y) {
        return steps(name, style, x, y, false);
    }

    /**
     * Returns a step function. With {@code isAtPoint}, each step is at its point's x and the first begins at 0;
     * otherwise each is at the x of the previous point.
     */
    private static Layer steps(String name, LineStyle style, double[] x, double[] y, boolean isAtPoint) {
        return (canvas, frame) -> {
            canvas.begin("line", name);
            Path2D path = new Path2D.Double();
            if (canvas.takesValues()) {
                canvas.attribute("data-step", isAtPoint ? "ACROSS" : "UP");
            }
            for (int i = 0; i < x.length; i++) {
                if (!canvas.takesValues() && isAtPoint) {
                    add(path, frame.x(x[i]), frame.y(i == 0 ? 0 : y[i - 1]));
                } else if (!canvas.takesValues() && i > 0) {
                    add(path, frame.x(x[i - 1]), frame.y(y[i]));
                }
                add(path, frame.x(x[i]), frame.y(y[i]));
            }
            canvas.draw(style, path);
            canvas.end();
        };
    }

    private static void add(Path2D path, double x, double y) {
        if (path.getCurrentPoint() == null) {
            path.moveTo(x, y);
        } else {
            path.lineTo(x, y);
        }
    }
}
