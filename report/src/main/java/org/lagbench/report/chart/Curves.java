package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;

/** The curves of one panel with linear axes. Each is a line with marks. */
final class Curves {
    private static final double HEADROOM = 1.06;
    private static final List<Mark.Shape> SHAPES =
            List.of(Mark.Shape.SQUARE, Mark.Shape.TRIANGLE, Mark.Shape.DIAMOND, Mark.Shape.CROSS, Mark.Shape.PLUS);

    private final List<Layer> layers = new ArrayList<>();
    private double least;
    private double greatest;

    /** Adds a curve in the style of one of several series. */
    Curves add(String name, int series, double[] x, double[] y) {
        line(name, series, x, y);
        return marks(name, series, x, y);
    }

    Curves line(String name, int series, double[] x, double[] y) {
        include(y);
        layers.add(Line.through(name, LineStyle.ofSeries(series), x, y));
        return this;
    }

    Curves marks(String name, int series, double[] x, double[] y) {
        include(y);
        layers.add(mark(series).at(name, x, y));
        return this;
    }

    /** Adds a vertical line from low to high at each x. */
    Curves bars(String name, int series, double[] x, double[] low, double[] high) {
        include(low);
        include(high);
        layers.add(Line.bars(name, LineStyle.ofSeries(series), x, low, high));
        return this;
    }

    private void include(double[] values) {
        least = Math.min(least, Arrays.stream(values).min().orElse(0));
        greatest = Math.max(greatest, Arrays.stream(values).max().orElse(0));
    }

    /** Returns a row of a chart with these curves. Its axis includes 0. */
    Row row(String label, double height) {
        return Row.of(Axis.linear(label, HEADROOM * least, HEADROOM * greatest), height, layers);
    }

    /** Returns the horizontal axis of some values, from 0. */
    static Axis horizontal(String label, double[] x) {
        return Axis.linear(label, 0, HEADROOM * Arrays.stream(x).max().orElse(1));
    }

    /** Returns the legend of lines with these names, in the order of the series. */
    static List<Entry> legend(List<String> names) {
        List<Entry> entries = new ArrayList<>();
        for (String name : names) {
            entries.add(new Entry(name, LineStyle.ofSeries(entries.size())));
        }
        return entries;
    }

    static Mark mark(int series) {
        return Mark.ofSeries(SHAPES.get(series % SHAPES.size()), series);
    }
}
