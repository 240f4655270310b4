package org.lagbench.core.bandwidth;

/**
 * What an interface has sent, or what it has received, since some moment.
 *
 * @param octets bytes, link-layer headers included; unsigned
 * @param packets packets; unsigned
 * @param bits width of both counters, 32 or 64; they begin again at 0 after the greatest number
 */
public record CounterReading(long octets, long packets, int bits) {
    /** Returns how much a counter has grown, if it wrapped at most once; negative if it was reset. */
    static long growth(long before, long after, int bits) {
        return bits == Long.SIZE ? after - before : (after - before) & 0xffff_ffffL;
    }
}
