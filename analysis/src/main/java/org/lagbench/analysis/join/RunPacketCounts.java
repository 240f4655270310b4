package org.lagbench.analysis.join;

import java.util.List;
import org.lagbench.core.run.Metric;

/**
 * Packet counts of one run or of several together, by the captures alone.
 *
 * @param sent packets in the sender's capture, without those in flight when the run was stopped
 * @param received packets in the receiver's capture, copies included
 * @param lost packets sent of which no copy was received
 * @param duplicated copies beyond the first (RFC 5560 §3)
 * @param reordered first copies that arrived after one with a greater sequence number (RFC 4737 §3)
 * @param unmatched received packets that are not in the sender's capture, as when the sender was killed
 * @param negativeLags packets received before they were sent, by the clocks
 */
public record RunPacketCounts(
        long sent, long received, long lost, long duplicated, long reordered, long unmatched, long negativeLags) {
    /** The metrics of packet counts. */
    public static final List<Metric<RunPacketCounts>> METRICS = List.of(
            Metric.packets("packets.sent", "Packets", "Sent", RunPacketCounts::sent)
                    .higherIsBetter(),
            Metric.packets("packets.received", "Packets", "Received", RunPacketCounts::received)
                    .higherIsBetter(),
            Metric.packets("packets.lost", "Packets", "Lost", RunPacketCounts::lost),
            Metric.packets("packets.duplicated", "Packets", "Copies", RunPacketCounts::duplicated),
            Metric.packets("packets.reordered", "Packets", "Reordered", RunPacketCounts::reordered),
            Metric.packets("packets.unmatched", "Packets", "Not sent by the run", RunPacketCounts::unmatched),
            Metric.packets("packets.negativeLags", "Packets", "With a negative lag", RunPacketCounts::negativeLags));

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
}
