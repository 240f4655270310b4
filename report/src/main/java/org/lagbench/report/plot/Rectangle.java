package org.lagbench.report.plot;

/**
 * A rectangle in points of 1/72 inch.
 *
 * @param x its left edge
 * @param y its upper edge
 * @param width not negative
 * @param height not negative
 */
record Rectangle(double x, double y, double width, double height) {
    double right() {
        return x + width;
    }

    double bottom() {
        return y + height;
    }

    /** Between two corners, whichever they are. */
    static Rectangle between(double x1, double y1, double x2, double y2) {
        return new Rectangle(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
    }
}
