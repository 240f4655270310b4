package org.lagbench.analysis.clock;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * Offset and skew by the hulls of one-way stamps (Moon, Skelly and Towsley, "Estimation and Removal of Clock Skew from
 * Network Delay Measurements", INFOCOM 1999): the received − sent of the way there, of packets and of questions alike,
 * and the replied − returned of the way back, of answers. Their linear program looks for the line below all points of
 * one way that is nearest to them, and finds an edge of the lower hull. Here both ways are looked at together, for they
 * have one skew: two parallel lines, one below all of the way there, the other above all of the way back, as far apart
 * as can be, give the skew. The offset is in the middle of two lines of that skew that rest on questions and answers
 * alone: these are alike and may be taken to be equally fast, but packets may be faster than either.
 *
 * <p>One pass over the captures; memory for the corners of the hulls only.
 */
public final class HullFit {
    private HullFit() {}

    /**
     * The estimate.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public static OffsetEstimate of(JoinedRun run, TwoWayStamps stamps) throws LagbenchException {
        OffsetLines lines = OffsetLines.of(stamps);
        for (long i = 0; i < run.received(); i++) {
            if (run.isFirstCopy(i)) {
                long sentNs = run.sentNs(run.packetOf(i));
                lines.addForward(sentNs, run.receivedNs(i) - sentNs);
            }
        }
        return of(stamps, lines);
    }

    /** The estimate by all points, those of the exchanges among them. */
    static OffsetEstimate of(TwoWayStamps stamps, OffsetLines all) {
        return OffsetEstimate.of(all.middleBetween(OffsetLines.of(stamps)), stamps, all);
    }
}
