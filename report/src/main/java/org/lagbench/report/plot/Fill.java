package org.lagbench.report.plot;

/**
 * How an area is filled: a color, and lines over it that tell it from others in grey.
 *
 * @param color the ground
 * @param hatch the lines
 */
public record Fill(PlotColor color, Hatch hatch) implements Sample {
    /** Lines over an area. */
    public enum Hatch {
        /** None. */
        NONE,
        /** Rising to the right. */
        RISING,
        /** Falling to the right. */
        FALLING,
        /** Both. */
        CROSSED,
        /** Level. */
        LEVEL
    }

    private static final double LIGHTER = 0.35;
    private static final double SPACING = 3;

    /** The fill of one of several areas, from 0: its color and its lines tell it from the others. */
    public static Fill ofSeries(int index) {
        Hatch[] hatches = Hatch.values();
        return new Fill(Palette.ofSeries(index).lighter(LIGHTER), hatches[index % hatches.length]);
    }

    void paint(Canvas canvas, Rectangle area) {
        if (area.width() <= 0 || area.height() <= 0) {
            return;
        }
        canvas.fill(color, area);
        if (hatch != Hatch.NONE) {
            canvas.beginClipped("hatch", "", area);
            LineStyle style = LineStyle.solid(Palette.INK, 0.3);
            if (hatch == Hatch.LEVEL) {
                for (double y = area.y() + SPACING / 2; y < area.bottom(); y += SPACING) {
                    canvas.line(style, area.x(), y, area.right(), y);
                }
            }
            double side = area.height();
            for (double x = area.x() - side; x < area.right(); x += SPACING) {
                if (hatch == Hatch.RISING || hatch == Hatch.CROSSED) {
                    canvas.line(style, x, area.bottom(), x + side, area.y());
                }
                if (hatch == Hatch.FALLING || hatch == Hatch.CROSSED) {
                    canvas.line(style, x, area.y(), x + side, area.bottom());
                }
            }
            canvas.end();
        }
    }
}
