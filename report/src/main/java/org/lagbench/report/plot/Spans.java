package org.lagbench.report.plot;

import java.awt.geom.Path2D;
import java.util.List;

/**
 * Stretches of the horizontal axis in one lane, each wide enough to be seen.
 *
 * @param series the index of the lane's color
 * @param lane a category of the vertical axis, from 0
 */
public record Spans(String name, int series, int lane, List<Span> spans) implements Layer {
    private static final double MIN_WIDTH = 0.6;
    private static final double LANE_THICKNESS = 6.2;

    /** A stretch in the unit of the axis. */
    public record Span(double from, double to) {}

    @Override
    public void paint(Canvas canvas, Frame frame) {
        double minWidth = canvas.takesValues() ? 0 : MIN_WIDTH;
        Path2D path = new Path2D.Double();
        double y = frame.y(lane + 0.5);
        for (Span span : spans) {
            double x = frame.x(span.from());
            path.moveTo(x, y);
            path.lineTo(Math.max(x + minWidth, frame.x(span.to())), y);
        }
        canvas.begin("spans", name);
        canvas.draw(LineStyle.solid(Palette.ofSeries(series), LANE_THICKNESS), path);
        canvas.end();
    }
}
