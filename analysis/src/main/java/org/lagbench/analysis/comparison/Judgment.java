package org.lagbench.analysis.comparison;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * Whether a point, a series of a monitor, or a pair of a matrix meets a requirement.
 *
 * @param subject null if the requirement selects no point or series
 * @param estimate of the median over the repeats, or of the share of all packets, in the subject's unit
 * @param doubt why it is undecided; null if only because the interval contains the limit, or for another verdict
 */
public record Judgment(
        Requirement requirement,
        @Nullable Subject subject,
        Interval estimate,
        Outcome verdict,
        Verdict.@Nullable Doubt doubt) {
    /** What repeats show of a limit. */
    public enum Outcome implements TextEnum {
        /** The interval is on the right side of the limit. */
        MET,
        /** The interval is on the wrong side of the limit. */
        MISSED,
        /** Neither is proven, for example because the interval contains the limit. */
        UNDECIDED
    }

    /**
     * What is judged.
     *
     * @param point null for a series
     * @param series the name of the series or of the pair; null for a point
     * @param unit of its values
     * @param repeats number of values that are judged: repeats of a point, or blocks of a series
     * @param included how many of the planned runs of a point, or values of a series, were measured
     */
    public record Subject(
            @Nullable MeasuredPoint point, @Nullable String series, String unit, int repeats, Included included) {
        /** Returns whether the values are shares, in percent. */
        public boolean isShare() {
            return unit.equals(Metric.PERCENT);
        }
    }

    /**
     * How verdicts are reached.
     *
     * @param byValue whether the values decide without their intervals
     * @param acceptedMissing the share of the planned runs or values that may be missing; if more are missing, no
     *     requirement is met
     */
    public record Basis(boolean byValue, double acceptedMissing) {
        public static final Basis INTERVAL = new Basis(false, 0);
        public static final Basis VALUE = new Basis(true, 0);
    }

    static final Interval NO_VALUE = Interval.ofRanks();

    /** Returns the judgment of a requirement that selects no point or series. */
    static Judgment ofNothing(Requirement requirement) {
        return new Judgment(requirement, null, NO_VALUE, Outcome.UNDECIDED, Verdict.Doubt.MISSING);
    }

    /**
     * Judges an estimate. No sample proves that a share is 0 or 100 %, so that such a limit is about the packets that
     * were measured.
     *
     * @param clockDoubt the maximum error of the estimate because of the clocks
     */
    public static Judgment of(
            Requirement requirement, Subject subject, Interval estimate, double clockDoubt, Basis basis)
            throws LagbenchException {
        double limit = requirement.limit(subject.unit());
        boolean isOfSample = isOfSample(requirement, subject, estimate, limit);
        double value = estimate.value();
        Interval judged = basis.byValue() || isOfSample ? new Interval(value, value, value) : estimate;
        Outcome plain = outcome(requirement, limit, judged, 0);
        Outcome outcome = outcome(requirement, limit, judged, clockDoubt);
        Verdict.Doubt doubt = outcome == plain ? null : Verdict.Doubt.CLOCK;
        if (!judged.hasEnds()) {
            doubt = Double.isNaN(value) ? Verdict.Doubt.MISSING : Verdict.Doubt.REPEATS;
        }
        if (outcome != Outcome.MISSED && subject.included().isIncomplete(basis.acceptedMissing())) {
            return new Judgment(requirement, subject, estimate, Outcome.UNDECIDED, Verdict.Doubt.INCOMPLETE);
        }
        return new Judgment(requirement, subject, estimate, outcome, doubt);
    }

    private static boolean isOfSample(Requirement requirement, Subject subject, Interval estimate, double limit) {
        return subject.isShare()
                && estimate.hasEnds()
                && limit == (requirement.bound().isUpper() ? 0 : Units.PERCENT);
    }

    /** Returns whether it is met by the measured packets alone, although the interval contains the limit. */
    public boolean holdsForSampleAlone() {
        return subject != null
                && verdict == Outcome.MET
                && isOfSample(
                        requirement, subject, estimate, requirement.bound().in(subject.unit()));
    }

    /**
     * Returns what an interval shows of a limit; without ends, nothing.
     *
     * @param doubt the maximum error of the values for reasons other than the differences of the repeats
     */
    public static Outcome outcome(Requirement requirement, double limit, Interval interval, double doubt) {
        double low = interval.low() - doubt;
        double high = interval.high() + doubt;
        if (!interval.hasEnds()) {
            return Outcome.UNDECIDED;
        }
        if (requirement.bound().holds(requirement.bound().isUpper() ? high : low, limit)) {
            return Outcome.MET;
        }
        return requirement.bound().holds(requirement.bound().isUpper() ? low : high, limit)
                ? Outcome.UNDECIDED
                : Outcome.MISSED;
    }
}
