package org.lagbench.analysis.cause;

/**
 * A part of a tail.
 *
 * @param packets how many packets
 * @param excessNs the time that they came later than the median, summed, in ns
 */
public record Share(long packets, double excessNs) {
    /** No part. */
    public static final Share NONE = new Share(0, 0);

    /** Both together. */
    public Share plus(Share other) {
        return new Share(packets + other.packets, excessNs + other.excessNs);
    }
}
