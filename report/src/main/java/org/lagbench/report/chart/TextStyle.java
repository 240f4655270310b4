package org.lagbench.report.chart;

/** The size of a text in points, and whether it is bold. */
record TextStyle(double size, boolean bold) {
    static final TextStyle TITLE = new TextStyle(8, true);
    static final TextStyle PANEL = new TextStyle(7.5, true);
    static final TextStyle LABEL = new TextStyle(7.5, false);
    static final TextStyle TICK = new TextStyle(7, false);
    static final TextStyle CAPTION = new TextStyle(6.5, false);

    /** Returns the distance of baselines. */
    double leading() {
        return size * 1.25;
    }
}
