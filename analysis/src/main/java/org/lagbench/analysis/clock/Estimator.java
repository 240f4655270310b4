package org.lagbench.analysis.clock;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** An estimator of the clock offset from the stamps of a run. */
public enum Estimator {
    /** {@link TwoWayFit}. */
    TWO_WAY("two-way"),
    /** {@link HullFit}. */
    HULL("hull");

    private final String text;

    Estimator(String text) {
        this.text = text;
    }

    /** Returns the name in tables and files. */
    public String text() {
        return text;
    }

    /** Estimates the offset of a run. */
    public OffsetEstimate estimate(JoinedRun run, TwoWayStamps stamps) throws LagbenchException {
        return this == TWO_WAY ? TwoWayFit.of(stamps) : HullFit.of(run, stamps);
    }
}
