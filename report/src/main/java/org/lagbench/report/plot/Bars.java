package org.lagbench.report.plot;

import java.util.List;

/** Bars of parts that stand on each other. */
public final class Bars extends Layer {
    private static final double WIDTH = 0.6;
    private static final LineStyle EDGE = LineStyle.solid(Palette.INK, 0.4);

    /**
     * A part of a bar.
     *
     * @param height in the unit of the axis
     * @param text what it is, for whoever points at it
     */
    public record Part(double height, String text) {}

    /**
     * One bar.
     *
     * @param name what it shows
     * @param x where its middle is
     * @param parts from below
     */
    public record Bar(String name, double x, List<Part> parts) {
        public Bar {
            parts = List.copyOf(parts);
        }
    }

    private final List<Fill> fills;
    private final List<Bar> bars;

    /**
     * Some bars.
     *
     * @param fills of the parts, in their order
     */
    public Bars(List<Fill> fills, List<Bar> bars) {
        this.fills = List.copyOf(fills);
        this.bars = List.copyOf(bars);
    }

    @Override
    void paint(Canvas canvas, Frame frame) {
        for (Bar bar : bars) {
            canvas.begin("bar", bar.name());
            double left = frame.x(bar.x() - WIDTH / 2);
            double right = frame.x(bar.x() + WIDTH / 2);
            double bottom = 0;
            for (int i = 0; i < bar.parts().size(); i++) {
                double top = bottom + bar.parts().get(i).height();
                Rectangle area = Rectangle.between(left, frame.y(bottom), right, frame.y(top));
                canvas.begin("part", "");
                canvas.title(bar.parts().get(i).text());
                fills.get(i).paint(canvas, area);
                canvas.outline(EDGE, area);
                canvas.end();
                bottom = top;
            }
            canvas.end();
        }
    }
}
