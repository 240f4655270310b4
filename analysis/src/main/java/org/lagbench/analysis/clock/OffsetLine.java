package org.lagbench.analysis.clock;

import org.lagbench.core.text.Units;

/**
 * The receiver's clock minus the sender's, as a line over the sender's clock, in ns. Times become floating point only
 * relative to the origin, so that no precision is lost.
 *
 * @param originNs a time of the sender's clock near the run, ns since the epoch
 * @param baseNs a whole part of the offset, so that the rest is small
 * @param restNs offset at the origin minus the base, in ns
 * @param skew ns that the receiver's clock gains on the sender's per ns
 */
public record OffsetLine(long originNs, long baseNs, double restNs, double skew) {

    /** Returns the offset at a time of the sender's clock (ns since the epoch), rounded to ns. */
    public long offsetNs(long senderNs) {
        return baseNs + Math.round(restNs + skew * (senderNs - originNs));
    }

    /** Returns what the sender's clock read when the receiver's clock read a time, both in ns since the epoch. */
    public long senderNs(long receiverNs) {
        double sinceOrigin = (receiverNs - baseNs - originNs - restNs) / (1 + skew);
        return receiverNs - baseNs - Math.round(restNs + skew * sinceOrigin);
    }

    /** Returns how much faster the receiver's clock runs than the sender's, in parts per million. */
    public double skewPpm() {
        return skew * Units.PPM;
    }
}
