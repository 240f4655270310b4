package org.lagbench.report.chart;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A color of a chart. The colors of all charts follow Okabe and Ito, "Color Universal Design" (2008), which people with
 * impaired color vision can distinguish, with more contrast. Gray print cannot distinguish them, so nothing depends on
 * color alone.
 *
 * @param rgb on white paper: red, green and blue, eight bits each
 * @param css the CSS value in a page, whose color scheme may be light or dark
 */
public record PlotColor(int rgb, String css) {
    static final PlotColor INK = named("ink", 0x222222);
    static final PlotColor GRID = named("rule", 0xDDDDDD);
    static final PlotColor PAPER = named("ground", 0xFFFFFF);

    /** The color of lost packets and of nothing else. */
    static final PlotColor LOSS = named("loss", 0xB3123B);

    /** The color of the run that an element of a page shows. */
    static final PlotColor RUN = named("run", 0x222222);

    private static final List<Integer> LIGHT =
            List.of(0x0072B2, 0xD55E00, 0x007A58, 0xA8487C, 0x000000, 0x9A6700, 0x2A86BD, 0x6E6E00);
    private static final List<Integer> DARK =
            List.of(0x56B4E9, 0xE69F00, 0x1FC49A, 0xE092BD, 0xFFFFFF, 0xF0E442, 0x4A9FDC, 0xF07F3C);

    /** The number of styles of runs in a page. */
    static final int LOOKS = 24;

    /** Returns a color that a page names, such as {@code --ink}. */
    static PlotColor named(String name, int rgb) {
        return new PlotColor(rgb, "var(--" + name + ")");
    }

    /** Returns the color in hexadecimal digits, as SVG and CSS write it. */
    static String hex(int rgb) {
        return String.format("#%06X", rgb);
    }

    /** Returns the color mixed with the background's. */
    PlotColor lighter(double share) {
        int percent = (int) Math.round(100 * (1 - share));
        return new PlotColor(
                between(rgb, PAPER.rgb, share), "color-mix(in srgb, " + css + " " + percent + "%, var(--ground))");
    }

    /** Returns the color that is the given share of the way from one to another. */
    static int between(int from, int to, double share) {
        int mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int start = from >> shift & 0xFF;
            int end = to >> shift & 0xFF;
            mixed |= (int) Math.round(start + (end - start) * Math.max(0, Math.min(1, share))) << shift;
        }
        return mixed;
    }

    /** Returns the color of one of several series, from 0; neighbors differ most. */
    static PlotColor ofSeries(int index) {
        int color = index % LIGHT.size();
        return named("s" + color, LIGHT.get(color));
    }

    /**
     * Returns the style sheet with these colors in both color schemes, and with the classes {@code look0},
     * {@code look1} … for the color of a run and the dashes of its lines.
     */
    public static String styleSheet() {
        String light = cssVariables(LIGHT);
        return light + "@media (prefers-color-scheme: dark) {\n" + cssVariables(DARK) + "}\n@media print {\n" + light
                + "}\n" + IntStream.range(0, LOOKS).mapToObj(PlotColor::look).collect(Collectors.joining());
    }

    private static String cssVariables(List<Integer> colors) {
        return IntStream.range(0, colors.size())
                .mapToObj(i -> "--s" + i + ": " + hex(colors.get(i)) + ";")
                .collect(Collectors.joining(" ", ":root { ", " }\n"));
    }

    private static String look(int index) {
        LineStyle style = LineStyle.ofSeries(index);
        String dashes = style.dashes();
        return ".look" + index + " { --run: " + style.color().css() + "; }\n"
                + (dashes.isEmpty() ? "" : ".line.look" + index + " { stroke-dasharray: " + dashes + "; }\n");
    }
}
