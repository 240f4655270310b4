package org.lagbench.analysis.clock;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** A way to estimate the offset of the clocks by the stamps of a run. */
public enum Estimator {
    /** {@link TwoWayFit}. */
    TWO_WAY("two-way"),
    /** {@link HullFit}. */
    HULL("hull");

    private final String text;

    Estimator(String text) {
        this.text = text;
    }

    /** Its name in tables and files. */
    public String text() {
        return text;
    }

    /**
     * The estimate of a run.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public OffsetEstimate estimate(JoinedRun run, TwoWayStamps stamps) throws LagbenchException {
        return this == TWO_WAY ? TwoWayFit.of(stamps) : HullFit.of(run, stamps);
    }
}
