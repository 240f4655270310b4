package org.lagbench.core.model;

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
     * Returns the capacity in bytes at a rate, for a capacity in time at least {@link #MINIMUM_BYTES}; not defined for
     * a capacity in packets.
     */
    public long bytes(long rateBitsPerS) {
        return switch (unit) {
            case BYTES -> amount;
            case NANOSECONDS ->
                Math.max(MINIMUM_BYTES, Math.round(Math.min(MAXIMUM_BYTES, amount / 1e9 * (rateBitsPerS / 8.0))));
            case PACKETS -> throw new IllegalStateException("a queue with a capacity in packets has no size in bytes");
        };
    }
}
