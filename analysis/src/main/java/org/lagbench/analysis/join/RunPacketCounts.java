package org.lagbench.analysis.join;

import org.lagbench.analysis.statistics.Interval;

/**
 * Packet counts of one run or of several together, by the captures alone.
 *
 * @param sent packets in the sender's capture
 * @param received packets in the receiver's capture, copies included
 * @param lost packets sent of which no copy was received
 * @param duplicated copies beyond the first (RFC 5560 §3)
 * @param reordered first copies that arrived after one with a greater sequence number (RFC 4737 §3)
 * @param unmatched received packets that are not in the sender's capture, as when the sender was killed
 * @param negativeLags packets received before they were sent, by the clocks
 */
public record RunPacketCounts(
        long sent, long received, long lost, long duplicated, long reordered, long unmatched, long negativeLags) {
    public static final RunPacketCounts NONE = new RunPacketCounts(0, 0, 0, 0, 0, 0, 0);

    /** Returns the sums of these counts and others. */
    public RunPacketCounts plus(RunPacketCounts other) {
        return new RunPacketCounts(
                sent + other.sent,
                received + other.received,
                lost + other.lost,
                duplicated + other.duplicated,
                reordered + other.reordered,
                unmatched + other.unmatched,
                negativeLags + other.negativeLags);
    }

    /**
     * Returns whether a greater share of packets was lost than in others. Only packets that arrive have a lag, and the
     * late ones may be those that are lost. So a point that lost more is not ordered by lag.
     *
     * <p>A share is greater if chance does not explain it: the 95 % intervals of both (Clopper and Pearson 1934) do not
     * overlap. They treat losses as independent. With losses in bursts, the test finds more differences.
     */
    public boolean isLossierThan(RunPacketCounts others) {
        return Interval.ofShare(lost, sent).low()
                > Interval.ofShare(others.lost, others.sent).high();
    }
}
