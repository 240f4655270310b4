package org.lagbench.analysis.clock;

import org.jspecify.annotations.Nullable;

/**
 * An estimate of the offset of the clocks during a run, with how far it may be wrong.
 *
 * @param line the receiver's clock less the sender's
 * @param midSpanNs the middle of the time that the two-way stamps span, by the sender's clock, ns since the epoch
 * @param uncertaintyNs ± how far the line may be from the true offset anywhere in that span, in ns, asymmetry of the
 *     path included; null if no line agrees with the stamps, as after a step
 * @param skewUncertaintyPpm ± how far its skew may be from the true one; null likewise
 */
public record OffsetEstimate(
        OffsetLine line, long midSpanNs, @Nullable Long uncertaintyNs, @Nullable Double skewUncertaintyPpm) {
    /** The offset in mid-span in ns. */
    public long midSpanOffsetNs() {
        return line.offsetNs(midSpanNs);
    }

    /** How much faster the receiver's clock runs than the sender's, in parts per million. */
    public double skewPpm() {
        return line.skewPpm();
    }

    /** The same line when a clock was set: it is off by an unknown part of that step, however wide the stamps are. */
    public OffsetEstimate withoutUncertainty() {
        return new OffsetEstimate(line, midSpanNs, null, null);
    }

    /** An estimate whose uncertainty is how far the lines that the stamps allow are from it. */
    static OffsetEstimate of(OffsetLine line, TwoWayStamps stamps, OffsetLines allowed) {
        if (allowed.isEmpty()) {
            return new OffsetEstimate(line, stamps.midSpanNs(), null, null);
        }
        double off = Math.max(allowed.distanceAt(line, stamps.firstNs()), allowed.distanceAt(line, stamps.lastNs()));
        double skewOff = Math.max(line.skew() - allowed.leastSkew(), allowed.greatestSkew() - line.skew());
        return new OffsetEstimate(line, stamps.midSpanNs(), (long) Math.ceil(off), skewOff * 1e6);
    }
}
