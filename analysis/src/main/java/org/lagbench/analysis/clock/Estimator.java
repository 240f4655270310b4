package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.List;
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

    /**
     * Estimates the offset in each part of a run between steps; empty if the run has not recorded the data for it, or
     * if a clock was stepped and the estimator is chrony: chronyd reports the offset from before a step for some time.
     */
    public List<OffsetEstimate> estimate(
            JoinedRun run, RunRecord.@Nullable Clock clock, List<SteadyPart> parts, boolean isStepped)
            throws LagbenchException {
        List<OffsetEstimate> estimates = new ArrayList<>();
        if (this == CHRONY) {
            OffsetEstimate estimate = isStepped ? null : ChronyFit.of(clock);
            return estimate == null ? List.of() : List.of(estimate);
        }
        for (SteadyPart part : parts) {
            TwoWayStamps stamps = part.stamps();
            if (stamps != null) {
                long fromNs = part.fromNs(run, stamps);
                long untilNs = part.untilNs(run, stamps);
                estimates.add(
                        this == TWO_WAY
                                ? TwoWayFit.of(stamps, fromNs, untilNs)
                                : HullFit.of(stamps, part.lines(run, stamps), fromNs, untilNs));
            }
        }
        return estimates;
    }
}
