package org.lagbench.report.plot;

import java.util.Arrays;

/**
 * Where in a drawing the values of a panel are.
 *
 * @param area the panel without its labels
 * @param horizontal the axis below
 * @param vertical the axis at the left
 */
record Frame(Rectangle area, Axis horizontal, Axis vertical) {
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
