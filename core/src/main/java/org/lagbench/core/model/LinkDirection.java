package org.lagbench.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link. Packets wait in the queue for the wire and pass it one at a time, each for the time of its
 * bytes at the rate; then they are delayed, lost, duplicated, reordered or damaged. Shares of packets are in
 * millionths.
 *
 * @param rateBitsPerS rate in bit/s, framing included; 0 for unlimited
 * @param packetNs the smallest time for which a packet occupies the link, in ns; unused without a rate
 * @param queue where packets wait for the rate; unused without a rate
 * @param delayNs delay in ns
 * @param jitterNs the random deviation of each packet's delay in ns, up or down; at most the delay
 * @param lossPpm share of lost packets
 * @param duplicationPpm share of packets that arrive twice
 * @param reorderingPpm share of packets that later ones overtake
 * @param reorderingDelayNs how much later these arrive in ns; 0 for directly after the next packet
 * @param damagePpm share of packets of which a bit is flipped
 * @param bursts times of loss, drawn from a seed; null for none
 * @param outages times of loss at given times
 */
public record LinkDirection(
        long rateBitsPerS,
        @Key("packet-time") long packetNs,
        Queue queue,
        long delayNs,
        long jitterNs,
        int lossPpm,
        int duplicationPpm,
        int reorderingPpm,
        @Key("reordering-delay") long reorderingDelayNs,
        int damagePpm,
        @Nullable Bursts bursts,
        List<Outage> outages) {
    /** Largest {@link #minPacketBytes()} that the kernel accepts. */
    public static final int MAXIMUM_PACKET_BYTES = 65_535;

    public static final long MAXIMUM_PACKET_NS = 1_000_000_000L;

    public LinkDirection {
        outages = List.copyOf(outages);
    }

    /** Returns a link of a rate and a queue that impairs nothing. */
    public static LinkDirection of(long rateBitsPerS, Queue queue) {
        return new LinkDirection(rateBitsPerS, 0, queue, 0, 0, 0, 0, 0, 0, 0, null, List.of());
    }

    /**
     * Returns {@link #packetNs} as bytes at the rate: a smaller packet occupies the link as long as this many bytes.
     */
    public long minPacketBytes() {
        return Math.round(rateBitsPerS / 8.0 * (packetNs / 1e9));
    }

    /** Returns whether packets are delayed, lost, duplicated, reordered or damaged. */
    public boolean isImpaired() {
        return delayNs > 0
                || jitterNs > 0
                || lossPpm + duplicationPpm + reorderingPpm + damagePpm > 0
                || hasLossInTime();
    }

    /** Returns whether all packets of some times are lost. */
    private boolean hasLossInTime() {
        return bursts != null || !outages.isEmpty();
    }

    /** Returns whether this direction has an impairment that netem does not support. */
    public boolean needsRelay() {
        return hasLossInTime() || reorderingDelayNs > 0 || damagePpm > 0;
    }

    /** The capacity of a link's queue. A packet that does not fit is dropped. */
    public record Queue(Unit unit, long amount) {
        public static final long MAXIMUM_PACKETS = 1_000_000;
        public static final long MAXIMUM_BYTES = 1_000_000_000;
        public static final long MAXIMUM_NS = 60_000_000_000L;

        /** The smallest capacity in bytes: room for a full Ethernet frame. */
        public static final long MINIMUM_BYTES = 2_000;

        /** The units of the capacity. */
        public enum Unit {
            /** Packets of any size. */
            PACKETS,
            /** Bytes, Ethernet headers included. */
            BYTES,
            /** Time that the waiting bytes take at the link's rate. */
            NANOSECONDS
        }

        /**
         * Returns the capacity in bytes at a rate, for a capacity in time at least {@link #MINIMUM_BYTES}; not defined
         * for a capacity in packets.
         */
        public long bytes(long rateBitsPerS) {
            return switch (unit) {
                case BYTES -> amount;
                case NANOSECONDS ->
                    Math.max(MINIMUM_BYTES, Math.round(Math.min(MAXIMUM_BYTES, amount / 1e9 * (rateBitsPerS / 8.0))));
                case PACKETS ->
                    throw new IllegalStateException("a queue with a capacity in packets has no size in bytes");
            };
        }
    }
}
