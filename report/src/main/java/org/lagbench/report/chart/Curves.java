package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;

/** The curves of one panel, each a line, marks, or both, with their legend and the range of their values. */
public final class Curves {
    private static final double HEADROOM = 1.06;
    private static final List<Mark.Shape> SHAPES =
            List.of(Mark.Shape.SQUARE, Mark.Shape.TRIANGLE, Mark.Shape.DIAMOND, Mark.Shape.CROSS, Mark.Shape.PLUS);

    private final List<Layer> layers = new ArrayList<>();
    private final List<Entry> legend = new ArrayList<>();
    private final DoubleSummaryStatistics range = new DoubleSummaryStatistics();

    /** Adds a line with marks in the style of one of several series. */
    Curves add(String name, int series, double[] x, double[] y) {
        line(name, series, x, y);
        layers.add(mark(series).at(name, x, y));
        return this;
    }

    /** Adds a line in the style of one of several series. */
    public Curves line(String name, int series, double[] x, double[] y) {
        include(y);
        layers.add(LineStyle.ofSeries(series).line(name, x, y));
        legend.add(new Entry(name, LineStyle.ofSeries(series)));
        return this;
    }

    /** Adds marks of one of several series. */
    Curves marks(String name, int series, double[] x, double[] y) {
        include(y);
        layers.add(mark(series).at(name, x, y));
        legend.add(new Entry(name, mark(series)));
        return this;
    }

    /** Adds a vertical line from low to high at each x. */
    Curves bars(String name, int series, double[] x, double[] low, double[] high) {
        include(low);
        include(high);
        layers.add(LineStyle.ofSeries(series).bars(name, x, low, high));
        return this;
    }

    private void include(double[] values) {
        Arrays.stream(values).forEach(range);
    }

    /** Returns the range of all values. */
    DoubleSummaryStatistics range() {
        return range;
    }

    /** Returns the layers of the drawing, the lowest first. */
    public List<Layer> layers() {
        return layers;
    }

    /** Returns the legend of the lines and marks, in the order in which they were added. */
    public List<Entry> legend() {
        return legend;
    }

    /** Returns a row of a chart with these curves. Its axis includes 0. */
    Row row(String label, double height) {
        double min = Math.min(0, range.getMin());
        double max = Math.max(0, range.getMax());
        return Row.of(Axis.linear(label, HEADROOM * min, HEADROOM * max), height, layers);
    }

    /** Returns the horizontal axis of some values, from 0. */
    static Axis horizontal(String label, double[] x) {
        return Axis.linear(label, 0, HEADROOM * Arrays.stream(x).max().orElse(1));
    }

    private static Mark mark(int series) {
        return Mark.ofSeries(SHAPES.get(series % SHAPES.size()), series);
    }
}
