package org.lagbench.analysis.join;

/**
 * What became of the recorded packets of one run, or of several together, by the captures alone.
 *
 * @param sent packets in the sender's capture
 * @param received packets in the receiver's capture, copies included
 * @param lost packets sent of which no copy was received
 * @param duplicated copies beyond the first (RFC 5560 §3)
 * @param reordered first copies that came after one with a greater sequence number (RFC 4737 §3)
 * @param unmatched received packets that are not in the sender's capture, as when the sender was killed
 * @param negativeLags packets that came before they were sent, which only clocks can do
 */
public record RunPacketCounts(
        long sent, long received, long lost, long duplicated, long reordered, long unmatched, long negativeLags) {

    /** Of nothing. */
    public static final RunPacketCounts NONE = new RunPacketCounts(0, 0, 0, 0, 0, 0, 0);

    /** Of both together. */
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
