package org.lagbench.analysis.summary;

/**
 * How many of the planned runs or values have been measured.
 *
 * @param count number of measured runs or values
 * @param planned number of planned runs or values, at least the count
 */
public record Included(long count, long planned) {
    /** Nothing was planned. */
    public static final Included NONE = new Included(0, 0);

    /** Returns the number of planned runs or values that are missing. */
    public long missing() {
        return planned - count;
    }

    /** Returns whether a greater share is missing than is accepted. */
    public boolean isIncomplete(double accepted) {
        return missing() > accepted * planned;
    }

    /** Returns the sums of these numbers and others. */
    public Included plus(Included other) {
        return new Included(count + other.count, planned + other.planned);
    }
}
