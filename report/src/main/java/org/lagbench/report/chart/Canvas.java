package org.lagbench.report.chart;

import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A drawing surface. Lengths are in points of 1/72 inch; y grows downward. */
interface Canvas {
    /** The point of a text to which its position refers. */
    enum Anchor {
        START(0),
        MIDDLE(0.5),
        END(1);

        private final double fraction;

        Anchor(double fraction) {
            this.fraction = fraction;
        }

        /** Returns the position as a fraction of the text's width. */
        double fraction() {
            return fraction;
        }
    }

    /**
     * Begins a group. Groups nest.
     *
     * @param kind one word, such as "panel"
     */
    void begin(String kind, String name);

    /** Begins a group that is clipped to a rectangle. */
    void beginClipped(String kind, String name, Rectangle2D clip);

    /** Ends the group begun last. */
    void end();

    /** Adds an attribute to the group begun last; only before anything is drawn in it. */
    default void attribute(String name, String value) {}

    /** Turns the group begun last into a named image that the keyboard reaches; only before anything is drawn in it. */
    default void focusable(String name) {}

    /**
     * Adds the data of the group begun last for a file of the page; only before anything is drawn in it.
     *
     * @param values records of "name=value", separated by |, the records by ;
     */
    default void values(Supplier<String> values) {}

    /** Adds the points of the group begun last like {@link #values}. */
    default void points(Frame frame, double[] x, double[] y) {
        values(() -> IntStream.range(0, x.length)
                .mapToObj(i -> frame.horizontal().label() + "=" + x[i] + "|"
                        + frame.vertical().label() + "=" + y[i])
                .collect(Collectors.joining(";")));
    }

    /** Adds a tooltip to the group begun last. */
    default void title(String text) {}

    /** Draws the outline of a shape, which may be several open lines. */
    void draw(LineStyle style, Shape shape);

    void fill(PlotColor color, Shape shape);

    /** Draws a disc around each point. */
    void dots(PlotColor color, double diameter, List<Point2D> centers);

    /** Draws a straight line. */
    default void line(LineStyle style, double fromX, double fromY, double toX, double toY) {
        draw(style, new Line2D.Double(fromX, fromY, toX, toY));
    }

    /** Writes a text; y is its baseline. */
    default void text(String text, TextStyle style, Anchor anchor, double x, double y) {
        text(text, style, anchor, x, y, false);
    }

    /**
     * Writes a text.
     *
     * @param isUpward whether it is turned to read from below, with its baseline at x
     */
    void text(String text, TextStyle style, Anchor anchor, double x, double y, boolean isUpward);
}
