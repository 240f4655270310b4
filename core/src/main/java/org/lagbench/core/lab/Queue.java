package org.lagbench.core.lab;

/**
 * How much may wait for a link's rate; a packet for which there is no room is dropped.
 *
 * @param unit what is counted
 * @param amount how much of it
 */
public record Queue(Unit unit, long amount) {
    /** Most packets. */
    public static final long MAXIMUM_PACKETS = 1_000_000;

    /** Most bytes, and least. */
    public static final long MAXIMUM_BYTES = 1_000_000_000;

    /** Least bytes: a full Ethernet frame must find room. */
    public static final long MINIMUM_BYTES = 2_000;

    /** Longest time in ns. */
    public static final long MAXIMUM_NS = 60_000_000_000L;

    /** What is counted. */
    public enum Unit {
        /** Packets, of whatever size. */
        PACKETS,
        /** Their bytes, Ethernet header included. */
        BYTES,
        /** Nanoseconds that the waiting bytes take at the link's rate. */
        NANOSECONDS
    }

    /** So many bytes at a rate: the amount itself, or what the time is worth, {@link #MINIMUM_BYTES} at least. */
    public long bytes(long rateBitsPerS) {
        return switch (unit) {
            case BYTES -> amount;
            case NANOSECONDS ->
                Math.max(MINIMUM_BYTES, Math.round(Math.min(MAXIMUM_BYTES, amount / 1e9 * (rateBitsPerS / 8.0))));
            case PACKETS -> throw new IllegalStateException("a queue of packets has no bytes");
        };
    }
}
