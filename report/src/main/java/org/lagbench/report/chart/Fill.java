package org.lagbench.report.chart;

import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/** The fill of an area: a color with hatching, which distinguishes areas in gray print. */
public record Fill(PlotColor color, Hatch hatch) implements Chart.Sample {
    /** The hatching lines over an area. */
    public enum Hatch {
        NONE,
        RISING,
        FALLING,
        CROSSED,
        LEVEL
    }

    private static final double LIGHTER = 0.35;
    private static final double SPACING = 3;

    /** Returns the fill of one of several areas, from 0. It differs from the others in color and hatching. */
    public static Fill ofSeries(int index) {
        Hatch[] hatches = Hatch.values();
        return new Fill(PlotColor.ofSeries(index).lighter(LIGHTER), hatches[index % hatches.length]);
    }

    void paint(Canvas canvas, Rectangle2D area) {
        if (area.isEmpty()) {
            return;
        }
        canvas.fill(color, area);
        if (hatch != Hatch.NONE) {
            canvas.beginClipped("hatch", "", area);
            canvas.draw(LineStyle.solid(PlotColor.INK, 0.3), hatching(area));
            canvas.end();
        }
    }

    private Path2D hatching(Rectangle2D area) {
        Path2D lines = new Path2D.Double();
        double top = area.getY();
        double bottom = area.getMaxY();
        double side = area.getHeight();
        for (double y = top + SPACING / 2; hatch == Hatch.LEVEL && y < bottom; y += SPACING) {
            lines.moveTo(area.getX(), y);
            lines.lineTo(area.getMaxX(), y);
        }
        for (double x = area.getX() - side; x < area.getMaxX(); x += SPACING) {
            if (hatch == Hatch.RISING || hatch == Hatch.CROSSED) {
                lines.moveTo(x, bottom);
                lines.lineTo(x + side, top);
            }
            if (hatch == Hatch.FALLING || hatch == Hatch.CROSSED) {
                lines.moveTo(x, top);
                lines.lineTo(x + side, bottom);
            }
        }
        return lines;
    }

    @Override
    public void paintSample(Canvas canvas, double x, double y, double width) {
        Rectangle2D area = new Rectangle2D.Double(x + width / 4, y - 3, width * 0.75, 6);
        paint(canvas, area);
        canvas.draw(LineStyle.MINOR_TICK, area);
    }
}
