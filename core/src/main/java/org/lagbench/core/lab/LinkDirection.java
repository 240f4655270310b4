package org.lagbench.core.lab;

/**
 * What one direction of a link does to packets. First they wait in the queue for the rate; then they are delayed, and
 * lost, copied or reordered. Shares of packets are in millionths.
 *
 * @param rateBitsPerS rate in bit/s, framing included; 0 for as fast as the machine is
 * @param packetNs the least time that a packet takes of the rate, however small, in ns; without a rate none
 * @param queue where packets wait for the rate; without a rate there is none
 * @param delayNs delay in ns
 * @param jitterNs by how much the delay of each packet is more or less, at random, in ns; not more than the delay
 * @param lossPpm share of packets that are lost
 * @param duplicationPpm share that arrives twice
 * @param reorderingPpm share that is overtaken by the packet behind it
 */
public record LinkDirection(
        long rateBitsPerS,
        long packetNs,
        Queue queue,
        long delayNs,
        long jitterNs,
        int lossPpm,
        int duplicationPpm,
        int reorderingPpm) {
    /** Most bytes of the rate that {@link #packetNs} may be worth: what the kernel has room for. */
    public static final int MAXIMUM_PACKET_BYTES = 65_535;

    /** Longest {@link #packetNs}. */
    public static final long MAXIMUM_PACKET_NS = 1_000_000_000L;

    /** The bytes of the rate that a packet takes at least, by {@link #packetNs}. */
    public long leastPacketBytes() {
        return Math.round(rateBitsPerS / 8.0 * (packetNs / 1e9));
    }

    /** Whether packets are delayed, lost, copied or reordered. */
    public boolean isImpaired() {
        return delayNs > 0 || jitterNs > 0 || lossPpm > 0 || duplicationPpm > 0 || reorderingPpm > 0;
    }
}
