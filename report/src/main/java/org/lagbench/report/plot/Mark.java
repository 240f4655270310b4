package org.lagbench.report.plot;

import java.awt.Color;

/**
 * A small mark around a point.
 *
 * @param shape its shape
 * @param colour its colour
 * @param size its width in points
 */
public record Mark(Shape shape, Color colour, double size) implements Sample {
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

    /** A mark in the colour of text. */
    public static Mark of(Shape shape) {
        return new Mark(shape, Palette.INK, 3.2);
    }

    /** A larger one that stands out from others. */
    public static Mark large(Shape shape) {
        return new Mark(shape, Palette.INK, 6.4);
    }

    /** The mark of one of several sets of points, from 0: its shape and its colour tell it from the others. */
    public static Mark ofSeries(Shape shape, int index) {
        return new Mark(shape, Palette.SERIES.get(index % Palette.SERIES.size()), 4.2);
    }
}
