package org.lagbench.report.plot;

import java.awt.Color;

/**
 * How an area is filled: a colour, and lines over it that tell it from others in grey.
 *
 * @param colour the ground
 * @param hatch the lines
 */
public record Fill(Color colour, Hatch hatch) implements Sample {
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

    /** The fill of one of several areas, from 0: its colour and its lines tell it from the others. */
    public static Fill ofSeries(int index) {
        Color colour = Palette.SERIES.get(index % Palette.SERIES.size());
        Hatch[] hatches = Hatch.values();
        return new Fill(lighter(colour), hatches[index % hatches.length]);
    }

    /** Without lines, in the colour of one of several curves. */
    public static Fill solid(int index) {
        return new Fill(Palette.SERIES.get(index % Palette.SERIES.size()), Hatch.NONE);
    }

    void paint(Canvas canvas, Rectangle area) {
        if (area.width() <= 0 || area.height() <= 0) {
            return;
        }
        canvas.fill(colour, area);
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

    private static Color lighter(Color colour) {
        return new Color(lighter(colour.getRed()), lighter(colour.getGreen()), lighter(colour.getBlue()));
    }

    private static int lighter(int component) {
        return (int) Math.round(component + (255 - component) * LIGHTER);
    }
}
