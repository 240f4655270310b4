package org.lagbench.analysis.forecast;

import org.lagbench.analysis.statistics.Ratio;

/**
 * An interval for the next value, and how many past values such intervals captured.
 *
 * @param low lower end, NaN if there were too few errors
 * @param high upper end, NaN if there were too few errors
 * @param intervals number of past values that had an interval
 * @param captured number of past values inside their intervals, ends included
 */
public record CoveredInterval(double low, double high, long intervals, long captured) {
    /** Returns the share of past values inside their intervals; NaN if none had one. */
    public double share() {
        return Ratio.of(captured, intervals);
    }
}
