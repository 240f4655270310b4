package org.lagbench.report.plot;

import java.util.Arrays;

/** A line from point to point. */
public final class Line extends Layer {
    private static final double DOT = 1.3;

    private final String name;
    private final LineStyle style;
    private final double[] x;
    private final double[] y;
    private final double farthest;

    private Line(String name, LineStyle style, double[] x, double[] y, double farthest) {
        this.name = name;
        this.style = style;
        this.x = x.clone();
        this.y = y.clone();
        this.farthest = farthest;
    }

    /**
     * Through all points.
     *
     * @param name what it shows
     * @param x of each point, in the unit of the axis
     * @param y of each point, as many
     */
    public static Line through(String name, LineStyle style, double[] x, double[] y) {
        return new Line(name, style, x, y, Double.POSITIVE_INFINITY);
    }

    /**
     * Only between points that are near each other; one that is near none is a dot.
     *
     * @param farthest how far their x may be apart
     */
    public static Line broken(String name, LineStyle style, double[] x, double[] y, double farthest) {
        return new Line(name, style, x, y, farthest);
    }

    /** No line but a dot at each point. */
    public static Line dots(String name, LineStyle style, double[] x, double[] y) {
        return new Line(name, style, x, y, Double.NEGATIVE_INFINITY);
    }

    @Override
    void paint(Canvas canvas, Frame frame) {
        double[] atX = frame.x(x);
        double[] atY = frame.y(y);
        double[] dotsX = new double[x.length];
        double[] dotsY = new double[x.length];
        int dots = 0;
        canvas.begin("line", name);
        int begin = 0;
        for (int i = 1; i <= x.length; i++) {
            if (i == x.length || x[i] - x[i - 1] > farthest) {
                if (i - begin == 1) {
                    dotsX[dots] = atX[begin];
                    dotsY[dots++] = atY[begin];
                } else {
                    canvas.line(style, Arrays.copyOfRange(atX, begin, i), Arrays.copyOfRange(atY, begin, i));
                }
                begin = i;
            }
        }
        if (dots > 0) {
            canvas.dots(style.colour(), DOT, Arrays.copyOf(dotsX, dots), Arrays.copyOf(dotsY, dots));
        }
        canvas.end();
    }
}
