package org.lagbench.analysis.forecast;

/**
 * A series in memory.
 *
 * @param name its origin
 * @param times one for each value, never decreasing
 * @param values NaN where missing
 */
@SuppressWarnings("ArrayRecordComponent") // millions of numbers, never compared
public record TimedSeries(String name, double[] times, double[] values) {
    /** Returns the number of values, missing ones included. */
    public int size() {
        return values.length;
    }
}
