package org.lagbench.report.plot;

import java.awt.Color;
import java.util.List;

/**
 * Colours that are told apart by people who see colours differently: those of Okabe and Ito, "Color Universal Design"
 * (2008), without their yellow, which is too light for lines on white. In grey they are not told apart, so nothing
 * rests on colour alone.
 */
final class Palette {
    static final Color INK = new Color(0x222222);
    static final Color GRID = new Color(0xDDDDDD);
    static final Color PAPER = Color.WHITE;

    /** In the order of use: neighbours differ most. */
    static final List<Color> SERIES = List.of(
            new Color(0x0072B2),
            new Color(0xD55E00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0xE69F00),
            new Color(0x56B4E9),
            Color.BLACK);

    private Palette() {}
}
