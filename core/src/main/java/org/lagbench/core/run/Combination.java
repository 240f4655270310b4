package org.lagbench.core.run;

import org.lagbench.core.model.TextEnum;

/**
 * How the repeats of a point become the value of a metric that is judged. Each metric declares it, without a default.
 */
public enum Combination implements TextEnum {
    /** The sum of the parts by the sum of the wholes. The value of a run is its part by its whole. */
    POOLED("all repeats together"),
    /** The sum over the runs, such as of a count. */
    SUM("sum of the repeats"),
    /** The smallest value of a run. */
    MIN("min of the repeats"),
    /** The largest value of a run. */
    MAX("max of the repeats"),
    /** The median over the repeats, which are independent values. */
    MEDIAN("median of the repeats"),
    /** An end of an interval, a confidence, or what a run was asked for. */
    NOT_JUDGED("not judged");

    private final String title;

    Combination(String title) {
        this.title = title;
    }

    /** Returns what the value is, as a part of a sentence: "sum of the repeats". */
    public String title() {
        return title;
    }

    /** Returns whether the value is about the measured runs alone, and is known exactly: a sum, a min or a max. */
    public boolean isOfRunsAlone() {
        return this == SUM || this == MIN || this == MAX;
    }

    /** Returns whether further runs cannot undo that a limit is exceeded. Sums are of values that are not negative. */
    public boolean isFinal(boolean isUpper) {
        return isUpper ? this == SUM || this == MAX : this == MIN;
    }
}
