package org.lagbench.report.chart;

/**
 * A color of a chart.
 *
 * @param rgb on white paper: red, green and blue, eight bits each
 * @param css the CSS value in a page, whose color scheme may be light or dark
 */
record PlotColor(int rgb, String css) {
    /** Returns a color that a page names, such as {@code --ink}. */
    static PlotColor named(String name, int rgb) {
        return new PlotColor(rgb, "var(--" + name + ")");
    }

    /** Returns a color that is the same in every color scheme. */
    static PlotColor fixed(int rgb) {
        return new PlotColor(rgb, hex(rgb));
    }

    /** Returns the color in hexadecimal digits, as SVG and CSS write it. */
    static String hex(int rgb) {
        return String.format("#%06X", rgb);
    }

    /** Returns the color mixed with the background's. */
    PlotColor lighter(double share) {
        int percent = (int) Math.round(100 * (1 - share));
        return new PlotColor(
                between(rgb, Palette.PAPER.rgb, share),
                "color-mix(in srgb, " + css + " " + percent + "%, var(--ground))");
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
}
