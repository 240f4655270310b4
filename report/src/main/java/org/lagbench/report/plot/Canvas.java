package org.lagbench.report.plot;

import java.awt.Color;

/** What charts are drawn on. Lengths in points of 1/72 inch, y grows downward. */
interface Canvas {
    /** Which point of a text its position is. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /**
     * Begins a part of the drawing; parts may be within parts.
     *
     * @param kind of what kind it is, one word
     * @param name what it is called
     */
    void begin(String kind, String name);

    /** Begins a part of which only what is within the rectangle is seen. */
    void beginClipped(String kind, String name, Rectangle within);

    /** Ends the part begun last. */
    void end();

    /** A line through points. */
    void line(LineStyle style, double[] x, double[] y);

    /** A straight line. */
    default void line(LineStyle style, double fromX, double fromY, double toX, double toY) {
        line(style, new double[] {fromX, toX}, new double[] {fromY, toY});
    }

    /** A rectangle filled with one colour. */
    void fill(Color colour, Rectangle rectangle);

    /** The edge of a rectangle. */
    void outline(LineStyle style, Rectangle rectangle);

    /** A disc around each of some points. */
    void dots(Color colour, double diameter, double[] x, double[] y);

    /** A mark around a point. */
    void mark(Mark mark, double x, double y);

    /** A text; y is that of its baseline. */
    void text(String text, TextStyle style, Anchor anchor, double x, double y);

    /** A text that is read from below, its baseline at x. */
    void textUpward(String text, TextStyle style, Anchor anchor, double x, double y);
}
