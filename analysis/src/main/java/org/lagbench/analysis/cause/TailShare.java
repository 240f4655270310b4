package org.lagbench.analysis.cause;

/**
 * A share of a tail.
 *
 * @param packets number of packets
 * @param excessNs the sum of their lags above the median, in ns
 */
public record TailShare(long packets, double excessNs) {
    public static final TailShare NONE = new TailShare(0, 0);

    /** Returns the sum of this share and another. */
    public TailShare plus(TailShare other) {
        return new TailShare(packets + other.packets, excessNs + other.excessNs);
    }
}
