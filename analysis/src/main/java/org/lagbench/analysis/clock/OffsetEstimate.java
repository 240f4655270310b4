package org.lagbench.analysis.clock;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * An estimate of the clock offset during a run, with its uncertainty.
 *
 * @param line the receiver's clock minus the sender's
 * @param midSpanNs the middle of the span of the two-way stamps, by the sender's clock, ns since the epoch
 * @param uncertaintyNs ± the maximum distance of the line from the true offset anywhere in the span of stamps and
 *     packets, in ns, path asymmetry included; null if no line satisfies the stamps, as if the rate of a clock changed
 * @param skewUncertaintyPpm ± the maximum distance of the skew from the true one; null if {@code uncertaintyNs} is
 */
public record OffsetEstimate(
        OffsetLine line, long midSpanNs, @Nullable Long uncertaintyNs, @Nullable Double skewUncertaintyPpm) {
    private static final String TITLE = "Clock offset";

    /** The metrics of an estimate. */
    public static final List<Metric<OffsetEstimate>> METRICS = List.of(
            Metric.time("midSpan", TITLE, "Middle of the span", Combination.MEDIAN, OffsetEstimate::midSpanNs),
            Metric.time("midSpanOffset", TITLE, "At mid-span", Combination.MEDIAN, OffsetEstimate::midSpanOffsetNs),
            Metric.number("skew", TITLE, "Skew", "ppm", Combination.MEDIAN, OffsetEstimate::skewPpm),
            Metric.number(
                    "skewUncertainty",
                    TITLE,
                    "Uncertainty of the skew",
                    "ppm",
                    Combination.MAX,
                    OffsetEstimate::skewUncertaintyPpm));

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
     * Returns an estimate whose uncertainty is the largest distance of its line from the lines that the stamps allow.
     *
     * @param fromNs the earliest time of stamps and packets, by the sender's clock
     * @param untilNs the latest time
     */
    static OffsetEstimate of(OffsetLine line, TwoWayStamps stamps, OffsetLines allowed, long fromNs, long untilNs) {
        if (allowed.isEmpty()) {
            return new OffsetEstimate(line, stamps.midSpanNs(), null, null);
        }
        double off = Math.max(allowed.distanceAt(line, fromNs), allowed.distanceAt(line, untilNs));
        double skewOff = Math.max(line.skew() - allowed.minSkew(), allowed.maxSkew() - line.skew());
        return new OffsetEstimate(line, stamps.midSpanNs(), (long) Math.ceil(off), skewOff * 1e6);
    }

    /**
     * The receiver's clock minus the sender's, as a line over the sender's clock, in ns. Times become floating point
     * only relative to the origin, so that no precision is lost.
     *
     * @param originNs a time of the sender's clock near the run, ns since the epoch
     * @param baseNs a whole part of the offset, so that the rest is small
     * @param restNs offset at the origin minus the base, in ns
     * @param skew ns that the receiver's clock gains on the sender's per ns
     */
    public record OffsetLine(long originNs, long baseNs, double restNs, double skew) {

        /** Returns the offset at a time of the sender's clock (ns since the epoch), rounded to ns. */
        public long offsetNs(long senderNs) {
            return baseNs + Math.round(restNs + skew * (senderNs - originNs));
        }

        /** Returns what the sender's clock read when the receiver's clock read a time, both in ns since the epoch. */
        public long senderNs(long receiverNs) {
            double sinceOrigin = (receiverNs - baseNs - originNs - restNs) / (1 + skew);
            return receiverNs - baseNs - Math.round(restNs + skew * sinceOrigin);
        }

        /** Returns how much faster the receiver's clock runs than the sender's, in parts per million. */
        public double skewPpm() {
            return skew * Units.PPM;
        }
    }
}
