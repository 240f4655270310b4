package org.lagbench.analysis.clock;

/**
 * The receiver's clock less the sender's as a line over the sender's clock, in ns. Times are taken relative to the
 * origin as whole numbers before they become floating point, so that nothing is lost however great they are.
 *
 * @param originNs a time of the sender's clock near the run, ns since the epoch
 * @param baseNs a whole part of the offset, so that the rest is small
 * @param restNs offset at the origin less the base, in ns
 * @param skew how many ns the receiver's clock gains on the sender's in each ns
 */
public record OffsetLine(long originNs, long baseNs, double restNs, double skew) {
    private static final double PPM = 1e6;

    /** The offset at a time of the sender's clock (ns since the epoch), rounded to ns. */
    public long offsetNs(long senderNs) {
        return baseNs + Math.round(restNs + skew * (senderNs - originNs));
    }

    /** How much faster the receiver's clock runs than the sender's, in parts per million. */
    public double skewPpm() {
        return skew * PPM;
    }
}
