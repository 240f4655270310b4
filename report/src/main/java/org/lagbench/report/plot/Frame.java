package org.lagbench.report.plot;

import java.util.Arrays;

/**
 * Maps the values of a panel to positions in a drawing.
 *
 * @param area the panel without its labels
 * @param horizontal the axis below
 * @param vertical the axis at the left
 */
record Frame(Rectangle area, Axis horizontal, Axis vertical) {
    /** In which the position of a value is the value. */
    static final Frame VALUES = new Frame(new Rectangle(0, 1, 1, -1), Axis.linear("", 0, 1), Axis.linear("", 0, 1));

    double x(double value) {
        return area.x() + horizontal.place(value) * area.width();
    }

    double[] x(double[] values) {
        return Arrays.stream(values).map(this::x).toArray();
    }

    double[] y(double[] values) {
        return Arrays.stream(values).map(this::y).toArray();
    }

    double y(double value) {
        return area.bottom() - vertical.place(value) * area.height();
    }
}
