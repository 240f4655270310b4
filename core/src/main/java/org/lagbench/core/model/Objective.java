package org.lagbench.core.model;

/** The figure of each run that a tune minimizes, in ns. */
public enum Objective implements TextEnum {
    LAG_MEDIAN("median lag"),
    LAG_MEAN("mean lag"),
    /** The 95 % quantile of the transmit lag. */
    LAG_Q95("Q95 of the lag"),
    /** The 99 % quantile of the transmit lag. */
    LAG_Q99("Q99 of the lag"),
    /** The playout delay with which 1 % of the packets are late or lost. */
    PLAYOUT("playout delay for 1 % late");

    private final String title;

    Objective(String title) {
        this.title = title;
    }

    /** Returns the name in tables. */
    public String title() {
        return title;
    }
}
