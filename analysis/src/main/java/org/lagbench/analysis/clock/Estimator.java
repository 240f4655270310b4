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
    /**
     * By the hulls of one-way stamps (Moon, Skelly and Towsley, "Estimation and Removal of Clock Skew from Network
     * Delay Measurements", INFOCOM 1999). Forward points are received − sent of packets and requests; backward points
     * are replied − returned of replies. Their method fits a line to the lower hull of one direction. Both directions
     * have the same skew. So this fit takes two parallel lines, one below all forward and one above all backward
     * points, as far apart as possible. Their slope is the skew. The offset is halfway between lines of that slope
     * through requests and replies alone, because these have equal sizes and packets may be faster than either.
     *
     * <p>Takes one pass through the captures, and memory for the corners of the hulls only.
     */
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
                                : ofHulls(stamps, part.lines(run, stamps), fromNs, untilNs));
            }
        }
        return estimates;
    }

    static OffsetEstimate ofHulls(TwoWayStamps stamps, OffsetLines all, long fromNs, long untilNs) {
        return OffsetEstimate.of(all.middleBetween(OffsetLines.of(stamps)), stamps, all, fromNs, untilNs);
    }
}
