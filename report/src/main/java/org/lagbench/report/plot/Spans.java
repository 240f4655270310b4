package org.lagbench.report.plot;

import java.util.List;

/** Stretches of the horizontal axis, each in a lane and never too narrow to be seen. */
public final class Spans extends Layer {
    private static final double LEAST_WIDTH = 0.6;
    private static final double LANE_HEIGHT = 0.62;

    /**
     * One stretch in the unit of the axis.
     *
     * @param from where it begins
     * @param to where it ends, not before that
     */
    public record Span(double from, double to) {}

    private final String name;
    private final Fill fill;
    private final int lane;
    private final List<Span> spans;

    private Spans(String name, Fill fill, int lane, List<Span> spans) {
        this.name = name;
        this.fill = fill;
        this.lane = lane;
        this.spans = List.copyOf(spans);
    }

    /** In a lane, which is a category of the vertical axis. */
    public static Spans inLane(String name, Fill fill, int lane, List<Span> spans) {
        return new Spans(name, fill, lane, spans);
    }

    @Override
    void paint(Canvas canvas, Frame frame) {
        canvas.begin("spans", name);
        double top = frame.y(lane + 0.5 + LANE_HEIGHT / 2);
        double bottom = frame.y(lane + 0.5 - LANE_HEIGHT / 2);
        for (Span span : spans) {
            double from = frame.x(span.from());
            double width = Math.max(LEAST_WIDTH, frame.x(span.to()) - from);
            fill.paint(canvas, new Rectangle(from, top, width, bottom - top));
        }
        canvas.end();
    }
}
