package org.lagbench.analysis.clock;

import org.jspecify.annotations.Nullable;

/**
 * An estimate of the clock offset during a run, with its uncertainty.
 *
 * @param line the receiver's clock minus the sender's
 * @param midSpanNs the middle of the span of the two-way stamps, by the sender's clock, ns since the epoch
 * @param uncertaintyNs ± how far the line may be from the true offset anywhere in the span of stamps and packets, in
 *     ns, path asymmetry included; null if no line satisfies the stamps, as if the rate of a clock changed
 * @param skewUncertaintyPpm ± how far the skew may be from the true one; null if {@code uncertaintyNs} is
 */
public record OffsetEstimate(
        OffsetLine line, long midSpanNs, @Nullable Long uncertaintyNs, @Nullable Double skewUncertaintyPpm) {
    /** Returns the offset at mid-span in ns. */
    public long midSpanOffsetNs() {
        return line.offsetNs(midSpanNs);
    }

    /** Returns how much faster the receiver's clock runs than the sender's, in parts per million. */
    public double skewPpm() {
        return line.skewPpm();
    }

    /** Returns this estimate without its uncertainty, which is unknown if a step could not be located. */
    public OffsetEstimate withoutUncertainty() {
        return new OffsetEstimate(line, midSpanNs, null, null);
    }

    /**
     * Returns an estimate whose uncertainty is the greatest distance of its line from the lines that the stamps allow.
     *
     * @param fromNs the earliest time of stamps and packets, by the sender's clock
     * @param untilNs the latest time
     */
    static OffsetEstimate of(OffsetLine line, TwoWayStamps stamps, OffsetLines allowed, long fromNs, long untilNs) {
        if (allowed.isEmpty()) {
            return new OffsetEstimate(line, stamps.midSpanNs(), null, null);
        }
        double off = Math.max(allowed.distanceAt(line, fromNs), allowed.distanceAt(line, untilNs));
        double skewOff = Math.max(line.skew() - allowed.leastSkew(), allowed.greatestSkew() - line.skew());
        return new OffsetEstimate(line, stamps.midSpanNs(), (long) Math.ceil(off), skewOff * 1e6);
    }
}
