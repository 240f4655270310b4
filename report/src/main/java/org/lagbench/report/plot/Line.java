package org.lagbench.report.plot;

import java.util.Arrays;

/** A line from point to point. */
public final class Line extends Layer {
    private static final double DOT = 1.3;

    /** How a line gets from a point to the next. */
    private enum Step {
        /** Straight. */
        NONE,
        /** Across to the next x, then up or down; to the first point from 0. */
        ACROSS,
        /** Up or down to the next y, then across. */
        UP
    }

    private final String name;
    private final LineStyle style;
    private final double[] x;
    private final double[] y;
    private final double farthest;
    private final Step step;

    private Line(String name, LineStyle style, double[] x, double[] y, double farthest, Step step) {
        this.name = name;
        this.style = style;
        this.x = x.clone();
        this.y = y.clone();
        this.farthest = farthest;
        this.step = step;
    }

    /**
     * Through all points.
     *
     * @param name what it shows
     * @param x of each point, in the unit of the axis
     * @param y of each point, as many
     */
    public static Line through(String name, LineStyle style, double[] x, double[] y) {
        return new Line(name, style, x, y, Double.POSITIVE_INFINITY, Step.NONE);
    }

    /**
     * Only between points that are near each other; one that is near none is a dot.
     *
     * @param farthest how far their x may be apart
     */
    public static Line broken(String name, LineStyle style, double[] x, double[] y, double farthest) {
        return new Line(name, style, x, y, farthest, Step.NONE);
    }

    /** No line but a dot at each point. */
    public static Line dots(String name, LineStyle style, double[] x, double[] y) {
        return broken(name, style, x, y, Double.NEGATIVE_INFINITY);
    }

    /** A function that steps from 0 to the y of each point at its x: P(X ≤ x) if the points are such. */
    public static Line stepsTo(String name, LineStyle style, double[] x, double[] y) {
        return new Line(name, style, x, y, Double.POSITIVE_INFINITY, Step.ACROSS);
    }

    /** A function that steps from the y of each point after its x: P(X ≥ x) if the points are such. */
    public static Line stepsFrom(String name, LineStyle style, double[] x, double[] y) {
        return new Line(name, style, x, y, Double.POSITIVE_INFINITY, Step.UP);
    }

    @Override
    void paint(Canvas canvas, Frame frame) {
        canvas.begin("line", name);
        if (canvas.takesValues() && step != Step.NONE) {
            canvas.attribute("data-step", step.name());
            canvas.lines(style, x, y, new int[] {0});
        } else if (step != Step.NONE) {
            paintSteps(canvas, frame);
        } else {
            paintPieces(canvas, frame.x(x), frame.y(y));
        }
        canvas.end();
    }

    private void paintPieces(Canvas canvas, double[] atX, double[] atY) {
        double[] lineX = new double[x.length];
        double[] lineY = new double[x.length];
        int[] starts = new int[x.length];
        double[] dotX = new double[x.length];
        double[] dotY = new double[x.length];
        int length = 0;
        int lines = 0;
        int dots = 0;
        int begin = 0;
        for (int i = 1; i <= x.length; i++) {
            if (i == x.length || x[i] - x[i - 1] > farthest) {
                if (i - begin == 1) {
                    dotX[dots] = atX[begin];
                    dotY[dots++] = atY[begin];
                } else {
                    starts[lines++] = length;
                    System.arraycopy(atX, begin, lineX, length, i - begin);
                    System.arraycopy(atY, begin, lineY, length, i - begin);
                    length += i - begin;
                }
                begin = i;
            }
        }
        if (lines > 0) {
            canvas.lines(
                    style, Arrays.copyOf(lineX, length), Arrays.copyOf(lineY, length), Arrays.copyOf(starts, lines));
        }
        if (dots > 0) {
            canvas.dots(style.color(), DOT, Arrays.copyOf(dotX, dots), Arrays.copyOf(dotY, dots));
        }
    }

    /** A corner before each point; before the first only if the function begins at 0. */
    private void paintSteps(Canvas canvas, Frame frame) {
        int corners = step == Step.ACROSS ? x.length : Math.max(0, x.length - 1);
        double[] atX = new double[x.length + corners];
        double[] atY = new double[x.length + corners];
        int at = 0;
        for (int i = 0; i < x.length; i++) {
            if (step == Step.ACROSS) {
                atX[at] = frame.x(x[i]);
                atY[at++] = frame.y(i == 0 ? 0 : y[i - 1]);
            } else if (i > 0) {
                atX[at] = frame.x(x[i - 1]);
                atY[at++] = frame.y(y[i]);
            }
            atX[at] = frame.x(x[i]);
            atY[at++] = frame.y(y[i]);
        }
        canvas.lines(style, atX, atY, new int[] {0});
    }
}
