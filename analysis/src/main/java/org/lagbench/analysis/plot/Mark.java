package org.lagbench.analysis.plot;

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
}
