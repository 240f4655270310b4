package org.lagbench.core.bandwidth;

/**
 * The traffic that an interface has sent, or that it has received, as its counters report it.
 *
 * @param octets bytes, link-layer headers included; unsigned
 * @param packets packets; unsigned
 * @param bits width of both counters, 32 or 64, at which they wrap
 */
public record CounterReading(long octets, long packets, int bits) {
    /** Returns the growth of a counter that wrapped at most once; negative if a 64-bit counter was reset. */
    static long growth(long before, long after, int bits) {
        return bits == Long.SIZE ? after - before : (after - before) & 0xffff_ffffL;
    }
}
