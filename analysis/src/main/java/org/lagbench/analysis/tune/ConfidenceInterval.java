package org.lagbench.analysis.tune;

/**
 * An estimate and from where to where it may be off.
 *
 * @param estimate the estimate; NaN if there is none
 * @param low the lower end; NaN if there were too few runs for one
 * @param high the upper end, likewise
 */
public record ConfidenceInterval(double estimate, double low, double high) {
    /** Of nothing. */
    public static final ConfidenceInterval UNKNOWN = new ConfidenceInterval(Double.NaN, Double.NaN, Double.NaN);

    /** Whether it has ends. */
    public boolean isBounded() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    /** Whether a value is within. */
    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
