package org.lagbench.report.chart;

import java.awt.geom.Rectangle2D;

/**
 * Maps the values of a panel to positions in a drawing.
 *
 * @param area the panel without its labels
 */
record Frame(Rectangle2D area, Axis horizontal, Axis vertical) {
    double x(double value) {
        return area.getX() + horizontal.place(value) * area.getWidth();
    }

    double y(double value) {
        return area.getMaxY() - vertical.place(value) * area.getHeight();
    }

    /** Returns the rectangle between two corners given as values. */
    Rectangle2D rectangle(double x1, double y1, double x2, double y2) {
        Rectangle2D rectangle = new Rectangle2D.Double();
        rectangle.setFrameFromDiagonal(x(x1), y(y1), x(x2), y(y2));
        return rectangle;
    }
}
