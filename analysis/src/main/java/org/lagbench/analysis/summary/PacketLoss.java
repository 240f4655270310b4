package org.lagbench.analysis.summary;

import org.lagbench.analysis.statistics.Interval;

/**
 * How many packets were lost, in the sense of the traffic or in one direction.
 *
 * @param lost packets lost
 * @param sent packets that could be lost
 */
public record PacketLoss(long lost, long sent) {
    public static final PacketLoss NONE = new PacketLoss(0, 0);

    /** Returns the sums of these counts and others. */
    public PacketLoss plus(PacketLoss other) {
        return new PacketLoss(lost + other.lost, sent + other.sent);
    }

    /** Returns the lost share of the packets, from 0 to 1; 0 if no packet could be lost. */
    public double share() {
        return (double) lost / (double) Math.max(1, sent);
    }

    /**
     * Returns whether a greater share of packets was lost than in others. Only packets that arrive have a lag, and the
     * late ones may be those that are lost. So a point that lost more is not ordered by lag.
     *
     * <p>A share is greater if chance does not explain it: the 95 % intervals of both (Clopper and Pearson 1934) do not
     * overlap. They treat losses as independent. With losses in bursts, the test finds more differences.
     */
    public boolean isGreaterThan(PacketLoss others) {
        return Interval.ofShare(lost, sent).low()
                > Interval.ofShare(others.lost, others.sent).high();
    }
}
