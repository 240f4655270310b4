package org.lagbench.analysis.cause;

/**
 * A part of a tail.
 *
 * @param packets how many packets
 * @param excessNs the time that they came later than the median, summed, in ns
 */
public record TailShare(long packets, double excessNs) {
    /** No part. */
    public static final TailShare NONE = new TailShare(0, 0);

    /** Both together. */
    public TailShare plus(TailShare other) {
        return new TailShare(packets + other.packets, excessNs + other.excessNs);
    }
}
