package org.lagbench.report.chart;

/** The size of a text in points, whether it is bold, and its color. */
record TextStyle(double size, boolean bold, PlotColor color) {
    static final TextStyle TITLE = new TextStyle(8, true);
    static final TextStyle PANEL = new TextStyle(7.5, true);
    static final TextStyle LABEL = new TextStyle(7.5, false);
    static final TextStyle TICK = new TextStyle(7, false);
    static final TextStyle CAPTION = new TextStyle(6.5, false);

    /** The share of lost packets, which warns. */
    static final TextStyle LOSS = new TextStyle(7, true, PlotColor.LOSS);

    private TextStyle(double size, boolean bold) {
        this(size, bold, PlotColor.INK);
    }

    /**
     * Returns an estimate of a text's width in points for a page, whose font is unknown: that of wide sans-serif fonts.
     */
    double estimatedWidth(String text) {
        return text.length() * size * 0.6;
    }

    /** Returns the distance of baselines. */
    double leading() {
        return size * 1.25;
    }
}
