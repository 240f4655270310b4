package org.lagbench.analysis.join;

/**
 * The smallest and the largest lag of the first copies of packets that arrived.
 *
 * @param minNs {@link Long#MAX_VALUE} if nothing arrived
 * @param maxNs {@link Long#MIN_VALUE} if nothing arrived
 */
public record LagRange(long minNs, long maxNs) {
    static final LagRange NONE = new LagRange(Long.MAX_VALUE, Long.MIN_VALUE);

    /** Returns the range of the lags of both. */
    LagRange plus(LagRange other) {
        return new LagRange(Math.min(minNs, other.minNs), Math.max(maxNs, other.maxNs));
    }

    /** Returns whether a lag is more than a duration above the smallest. */
    public boolean exceeds(long durationNs) {
        return minNs <= maxNs && maxNs - minNs > durationNs;
    }
}
