package org.lagbench.report.plot;

import java.util.List;

/**
 * How a line is drawn.
 *
 * @param color its color
 * @param width in points
 * @param dashes lengths in points, drawn and left out in turn; none for a continuous line
 */
public record LineStyle(PlotColor color, double width, List<Double> dashes) implements Sample {
    static final LineStyle FRAME = solid(Palette.INK, 0.5);
    static final LineStyle GRID = solid(Palette.GRID, 0.4);
    static final LineStyle MINOR_TICK = solid(Palette.INK, 0.3);

    private static final double SERIES_WIDTH = 0.9;
    private static final double HAIRLINE_WIDTH = 0.45;

    private static final List<List<Double>> DASHES = List.of(
            List.of(), List.of(4.0, 1.6), List.of(1.2, 1.2), List.of(6.0, 1.4, 1.2, 1.4), List.of(2.4, 1.0, 2.4, 2.4));

    public LineStyle {
        dashes = List.copyOf(dashes);
    }

    /** A continuous line. */
    static LineStyle solid(PlotColor color, double width) {
        return new LineStyle(color, width, List.of());
    }

    /** The style of one of several curves, from 0: its color and its dashes tell it from the others. */
    public static LineStyle ofSeries(int index) {
        return new LineStyle(Palette.ofSeries(index), SERIES_WIDTH, DASHES.get(index % DASHES.size()));
    }

    /** A thin continuous line for curves of many points, in the color of one of several curves. */
    public static LineStyle hairline(int index) {
        return solid(Palette.ofSeries(index), HAIRLINE_WIDTH);
    }

    /** A line of a page that looks as its run does: thin for curves of many points. */
    public static LineStyle ofRun(boolean isThin) {
        return solid(Palette.RUN, isThin ? 2 * HAIRLINE_WIDTH : 1.5 * SERIES_WIDTH);
    }
}
