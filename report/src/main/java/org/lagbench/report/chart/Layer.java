package org.lagbench.report.chart;

/** A part of a panel's data. Later layers cover earlier ones. */
@FunctionalInterface
public interface Layer {
    /** Paints this layer; the canvas clips it to the panel. */
    void paint(Canvas canvas, Frame frame);
}
