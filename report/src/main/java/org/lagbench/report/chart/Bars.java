package org.lagbench.report.chart;

import java.awt.geom.Rectangle2D;
import java.util.List;

/**
 * Stacked bars.
 *
 * @param fills one for each part of a bar, from bottom to top
 */
public record Bars(List<Fill> fills, List<Bar> bars) implements Layer {
    private static final double WIDTH = 0.6;
    private static final LineStyle EDGE = LineStyle.solid(Palette.INK, 0.4);

    /**
     * A part of a bar.
     *
     * @param height in the unit of the axis
     * @param text its tooltip
     */
    public record Part(double height, String text) {}

    /**
     * One bar.
     *
     * @param x the bar's center
     * @param parts the stacked parts, the lowest first
     */
    public record Bar(String name, double x, List<Part> parts) {}

    @Override
    public void paint(Canvas canvas, Frame frame) {
        for (Bar bar : bars) {
            canvas.begin("bar", bar.name());
            double bottom = 0;
            for (int i = 0; i < bar.parts().size(); i++) {
                Part part = bar.parts().get(i);
                double top = bottom + part.height();
                Rectangle2D area = frame.rectangle(bar.x() - WIDTH / 2, bottom, bar.x() + WIDTH / 2, top);
                canvas.begin("part", "");
                canvas.title(part.text());
                fills.get(i).paint(canvas, area);
                canvas.draw(EDGE, area);
                canvas.end();
                bottom = top;
            }
            canvas.end();
        }
    }
}
