package org.lagbench.report.plot;

/** Something drawn in a panel; what comes later is above what came before. */
public abstract sealed class Layer permits Line, Marks, Boxes, Bars, Cells, Spans {
    /** Draws it; what is beyond the panel is not seen. */
    abstract void paint(Canvas canvas, Frame frame);
}
