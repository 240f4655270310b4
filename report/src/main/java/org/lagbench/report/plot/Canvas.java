package org.lagbench.report.plot;

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

    /** Adds an attribute to the part begun last, before anything is drawn in it. */
    default void attribute(String name, String value) {}

    /** Says what the part begun last is, for whoever points at it. */
    default void title(String text) {}

    /**
     * Whether the data of panels are given as values of the axes, which the reader places itself, and the axes without
     * ticks.
     */
    default boolean takesValues() {
        return false;
    }

    /**
     * Lines through consecutive points.
     *
     * @param starts the index of the point at which each line begins, ascending, the first of them 0
     */
    void lines(LineStyle style, double[] x, double[] y, int[] starts);

    /** A straight line. */
    default void line(LineStyle style, double fromX, double fromY, double toX, double toY) {
        lines(style, new double[] {fromX, toX}, new double[] {fromY, toY}, new int[] {0});
    }

    /** A rectangle filled with one color. */
    void fill(PlotColor color, Rectangle rectangle);

    /** The edge of a rectangle. */
    void outline(LineStyle style, Rectangle rectangle);

    /** A disc around each of some points. */
    void dots(PlotColor color, double diameter, double[] x, double[] y);

    /** A polygon filled with one color. */
    void polygon(PlotColor color, double[] x, double[] y);

    /** A mark around a point. */
    default void mark(Mark mark, double x, double y) {
        double half = mark.size() / 2;
        LineStyle style = LineStyle.solid(mark.color(), Mark.LINE_WIDTH);
        switch (mark.shape()) {
            case TRIANGLE ->
                polygon(mark.color(), new double[] {x, x + half, x - half}, new double[] {y - half, y + half, y + half
                });
            case DIAMOND ->
                polygon(mark.color(), new double[] {x, x + half, x, x - half}, new double[] {y - half, y, y + half, y});
            case CROSS -> {
                line(style, x - half, y - half, x + half, y + half);
                line(style, x - half, y + half, x + half, y - half);
            }
            case DASH -> line(style, x - half, y, x + half, y);
        }
    }

    /** A text; y is that of its baseline. */
    default void text(String text, TextStyle style, Anchor anchor, double x, double y) {
        text(text, style, anchor, x, y, false);
    }

    /**
     * A text.
     *
     * @param isUpward whether it is read from below, its baseline at x
     */
    void text(String text, TextStyle style, Anchor anchor, double x, double y, boolean isUpward);
}
