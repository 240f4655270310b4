package org.lagbench.analysis.clock;

/**
 * Offset and skew by the hulls of one-way stamps (Moon, Skelly and Towsley, "Estimation and Removal of Clock Skew from
 * Network Delay Measurements", INFOCOM 1999). Forward points are received − sent of packets and requests; backward
 * points are replied − returned of replies. Their method fits a line to the lower hull of one direction. Both
 * directions have the same skew. So this fit takes two parallel lines, one below all forward and one above all backward
 * points, as far apart as possible. Their slope is the skew. The offset is halfway between lines of that slope through
 * requests and replies alone, because these have equal sizes and packets may be faster than either.
 *
 * <p>Takes one pass through the captures, and memory for the corners of the hulls only.
 */
final class HullFit {
    private HullFit() {}

    /**
     * Estimates the offset from the lines of all points, including the points of the exchanges.
     *
     * @param fromNs the earliest time of all points, by the sender's clock
     * @param untilNs the latest time
     */
    static OffsetEstimate of(TwoWayStamps stamps, OffsetLines all, long fromNs, long untilNs) {
        return OffsetEstimate.of(all.middleBetween(OffsetLines.of(stamps)), stamps, all, fromNs, untilNs);
    }
}
