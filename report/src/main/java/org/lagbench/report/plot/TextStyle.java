package org.lagbench.report.plot;

/**
 * How a text is set.
 *
 * @param size in points
 * @param bold whether it is bold
 */
record TextStyle(double size, boolean bold) {
    static final TextStyle TITLE = new TextStyle(8, true);
    static final TextStyle PANEL = new TextStyle(7.5, true);
    static final TextStyle LABEL = new TextStyle(7.5, false);
    static final TextStyle TICK = new TextStyle(7, false);
    static final TextStyle CAPTION = new TextStyle(6.5, false);

    /** From one baseline to the next. */
    double leading() {
        return size * 1.25;
    }
}
