package org.lagbench.core.model;

/** The metric of each run that a tune minimizes. */
public enum Objective implements TextEnum {
    LAG_MEDIAN("median lag", "lag.median"),
    LAG_MEAN("mean lag", "lag.mean"),
    /** The 95 % quantile of the transmit lag. */
    LAG_Q95("Q95 of the lag", "lag.q95"),
    /** The 99 % quantile of the transmit lag. */
    LAG_Q99("Q99 of the lag", "lag.q99"),
    /** The playout delay with which 1 % of the packets are late or lost. */
    PLAYOUT("playout delay for 1 % late", "playout.delay");

    private final String title;
    private final String metric;

    Objective(String title, String metric) {
        this.title = title;
        this.metric = metric;
    }

    /** Returns the name in tables. */
    public String title() {
        return title;
    }

    /** Returns the id of the metric, whose unit is µs. */
    public String metric() {
        return metric;
    }
}
