package org.lagbench.report.plot;

/**
 * A small mark around a point.
 *
 * @param shape its shape
 * @param color its color
 * @param size its width in points
 */
public record Mark(Shape shape, PlotColor color, double size) implements Sample {
    /** Of the lines of marks, in points. */
    static final double LINE_WIDTH = 0.7;

    /** What a mark looks like. */
    public enum Shape {
        /** A triangle that stands on its side. */
        TRIANGLE,
        /** A square that stands on its corner. */
        DIAMOND,
        /** Two lines that cross. */
        CROSS,
        /** A line across. */
        DASH
    }

    /** A mark in the color of text. */
    public static Mark of(Shape shape) {
        return new Mark(shape, Palette.INK, 3.2);
    }

    /** A larger one that stands out from others. */
    public static Mark large(Shape shape) {
        return new Mark(shape, Palette.INK, 6.4);
    }

    /** The mark of one of several sets of points, from 0: its shape and its color tell it from the others. */
    public static Mark ofSeries(Shape shape, int index) {
        return new Mark(shape, Palette.ofSeries(index), 4.2);
    }
}
