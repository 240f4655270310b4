package org.lagbench.core.series;

/** Receives the records of a series, oldest first. */
@FunctionalInterface
public interface SeriesConsumer {
    /**
     * Receives a record.
     *
     * @param atNs when its probe was due, in ns since the epoch
     * @param value NaN unless the state is {@link SeriesState#OK}
     * @param state a state of {@link SeriesState}, or the exit code of a failed probe
     */
    void accept(long atNs, double value, int state);
}
