package org.lagbench.analysis.tune;

/**
 * An estimate with its confidence interval.
 *
 * @param estimate the estimate; NaN if there is none
 * @param low the lower end; NaN if there were too few runs
 * @param high the upper end; NaN if there were too few runs
 */
public record ConfidenceInterval(double estimate, double low, double high) {
    /** Returns whether the interval has ends. */
    public boolean isBounded() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
