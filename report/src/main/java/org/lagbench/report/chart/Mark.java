package org.lagbench.report.chart;

import java.awt.geom.Path2D;

/**
 * A small mark centered on a point.
 *
 * @param size its width in points
 */
public record Mark(Shape shape, PlotColor color, double size) implements Chart.Sample {
    private static final double LINE_WIDTH = 0.7;

    /** A shape: its corners as x and y from −1 to 1. Each two corners of an unfilled shape are the ends of a line. */
    public enum Shape {
        /** A triangle that points up. */
        TRIANGLE(true, 0, -1, 1, 1, -1, 1),
        SQUARE(true, -1, -1, 1, -1, 1, 1, -1, 1),
        /** A square that stands on a corner. */
        DIAMOND(true, 0, -1, 1, 0, 0, 1, -1, 0),
        /** A horizontal and a vertical line. */
        PLUS(false, -1, 0, 1, 0, 0, -1, 0, 1),
        /** Two crossing diagonal lines. */
        CROSS(false, -1, -1, 1, 1, -1, 1, 1, -1),
        /** Two triangles that meet at a point. */
        HOURGLASS(true, -1, -1, 1, -1, -1, 1, 1, 1);

        private final boolean isFilled;

        @SuppressWarnings("ImmutableEnumChecker") // never modified
        private final int[] corners;

        Shape(boolean isFilled, int... corners) {
            this.isFilled = isFilled;
            this.corners = corners;
        }
    }

    /** Returns a mark in the color of text. */
    public static Mark of(Shape shape) {
        return new Mark(shape, PlotColor.INK, 3.2);
    }

    /** Returns a larger mark that stands out. */
    public static Mark large(Shape shape) {
        return new Mark(shape, PlotColor.INK, 6.4);
    }

    /** Returns the mark of one of several sets of points, in its own color. */
    public static Mark ofSeries(Shape shape, int index) {
        return new Mark(shape, PlotColor.ofSeries(index), 4.2);
    }

    /** Returns a layer with this mark at each point, given in the units of the axes. */
    public Layer at(String name, double[] x, double[] y) {
        return (canvas, frame) -> {
            canvas.begin("marks", name);
            canvas.points(frame, x, y);
            for (int i = 0; i < x.length; i++) {
                paint(canvas, frame.x(x[i]), frame.y(y[i]));
            }
            canvas.end();
        };
    }

    void paint(Canvas canvas, double x, double y) {
        Path2D path = new Path2D.Double();
        for (int i = 0; i < shape.corners.length; i += 2) {
            double cornerX = x + shape.corners[i] * size / 2;
            double cornerY = y + shape.corners[i + 1] * size / 2;
            if (i == 0 || (!shape.isFilled && i % 4 == 0)) {
                path.moveTo(cornerX, cornerY);
            } else {
                path.lineTo(cornerX, cornerY);
            }
        }
        if (shape.isFilled) {
            path.closePath();
            canvas.fill(color, path);
        } else {
            canvas.draw(LineStyle.solid(color, LINE_WIDTH), path);
        }
    }

    @Override
    public void paintSample(Canvas canvas, double x, double y, double width) {
        paint(canvas, x + width / 2, y);
    }
}
