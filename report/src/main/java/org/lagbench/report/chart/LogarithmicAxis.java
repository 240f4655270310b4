package org.lagbench.report.chart;

import java.util.List;
import org.lagbench.core.text.Units;

/** Logarithmic axes of times. Times below {@value #MIN_NS} ns are drawn at that value. */
final class LogarithmicAxis {
    private static final double MIN_NS = 10;

    private LogarithmicAxis() {}

    /**
     * Returns a logarithmic axis in µs from the least to the greatest value. Values below {@link #MIN_NS} do not fit.
     */
    static Axis of(String name, double leastNs, double greatestNs) {
        double fromNs = Math.max(MIN_NS, leastNs);
        return Axis.decades(name + " (µs)", fromNs / Units.NS_PER_US, Math.max(fromNs, greatestNs) / Units.NS_PER_US);
    }

    /** Adds a note if values are below the least that can be drawn. */
    static void addNote(List<String> notes, String names, double leastNs) {
        if (leastNs < MIN_NS) {
            notes.add(names + " below " + MIN_NS / Units.NS_PER_US + " µs are drawn at that value.");
        }
    }
}
