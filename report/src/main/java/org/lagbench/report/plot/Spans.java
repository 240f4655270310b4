package org.lagbench.report.plot;

import java.util.List;

/** Stretches of the horizontal axis, all in one lane and never too narrow to be seen. */
public final class Spans extends Layer {
    private static final double LEAST_WIDTH = 0.6;

    /** Of a lane, in points. */
    private static final double THICKNESS = 6.2;

    /**
     * One stretch in the unit of the axis.
     *
     * @param from where it begins
     * @param to where it ends, not before that
     */
    public record Span(double from, double to) {}

    private final String name;
    private final LineStyle style;
    private final int lane;
    private final List<Span> spans;

    /**
     * Some stretches.
     *
     * @param series the color, that of one of several series
     * @param lane a category of the vertical axis, from 0
     * @param spans at least one
     */
    public Spans(String name, int series, int lane, List<Span> spans) {
        this.name = name;
        this.style = LineStyle.solid(Palette.ofSeries(series), THICKNESS);
        this.lane = lane;
        this.spans = List.copyOf(spans);
    }

    @Override
    void paint(Canvas canvas, Frame frame) {
        double leastWidth = canvas.takesValues() ? 0 : LEAST_WIDTH;
        double[] x = new double[2 * spans.size()];
        double[] y = new double[x.length];
        int[] starts = new int[spans.size()];
        for (int i = 0; i < starts.length; i++) {
            Span span = spans.get(i);
            starts[i] = 2 * i;
            x[2 * i] = frame.x(span.from());
            x[2 * i + 1] = Math.max(x[2 * i] + leastWidth, frame.x(span.to()));
            y[2 * i] = frame.y(lane + 0.5);
            y[2 * i + 1] = y[2 * i];
        }
        canvas.begin("spans", name);
        canvas.lines(style, x, y, starts);
        canvas.end();
    }
}
