package org.lagbench.report.plot;

import java.util.List;

/** Bars of parts that stand on each other. */
public final class Bars extends Layer {
    private static final double WIDTH = 0.6;
    private static final LineStyle EDGE = LineStyle.solid(Palette.INK, 0.4);

    /**
     * One bar.
     *
     * @param name what it shows
     * @param x where its middle is
     * @param parts the heights of its parts from below, in the unit of the axis
     */
    public record Bar(String name, double x, List<Double> parts) {
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
                double top = bottom + bar.parts().get(i);
                Rectangle part = Rectangle.between(left, frame.y(bottom), right, frame.y(top));
                fills.get(i).paint(canvas, part);
                canvas.outline(EDGE, part);
                bottom = top;
            }
            canvas.end();
        }
    }
}
