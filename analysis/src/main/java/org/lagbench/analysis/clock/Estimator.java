package org.lagbench.analysis.clock;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/** An estimator of the clock offset of a run. */
public enum Estimator {
    /** By the reports of both hosts' chronyd: {@link ChronyFit}. */
    CHRONY("chrony", "chrony"),
    /** By the stamps of two-way exchanges: {@link TwoWayFit}. */
    TWO_WAY("two-way", "stamps"),
    /** By the convex hulls of all stamps: {@link HullFit}. */
    HULL("hull", "stamps");

    private final String text;
    private final String basis;

    Estimator(String text, String basis) {
        this.text = text;
        this.basis = basis;
    }

    /** Returns the name in tables and files. */
    public String text() {
        return text;
    }

    /** Returns where the estimate comes from, for a table. */
    public String basis() {
        return basis;
    }

    /** Estimates the offset of a run; returns null if the run has not recorded the data for it. */
    public @Nullable OffsetEstimate estimate(
            JoinedRun run, RunRecord.@Nullable Clock clock, @Nullable TwoWayStamps stamps) throws LagbenchException {
        if (this == CHRONY) {
            return ChronyFit.of(clock);
        }
        if (stamps == null) {
            return null;
        }
        return this == TWO_WAY ? TwoWayFit.of(stamps) : HullFit.of(run, stamps);
    }
}
