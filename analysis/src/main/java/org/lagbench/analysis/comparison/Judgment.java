package org.lagbench.analysis.comparison;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.TextEnum;

/**
 * Whether a point, a series of a monitor, or a pair of a matrix meets a requirement.
 *
 * @param subject null if the requirement selects no point or series
 * @param median of the values of the repeats, in the subject's unit
 * @param doubt why it is undecided; null if only because the interval contains the limit, or for another verdict
 */
public record Judgment(
        Requirement requirement,
        @Nullable Subject subject,
        Interval median,
        Outcome verdict,
        Verdict.@Nullable Doubt doubt) {
    /** What repeats show of a limit. */
    public enum Outcome implements TextEnum {
        /** The interval of the median is on the right side of the limit. */
        MET,
        /** The interval of the median is on the wrong side of the limit. */
        MISSED,
        /** The values show neither. */
        UNDECIDED
    }

    /**
     * What is judged.
     *
     * @param point null for a series
     * @param series the name of the series or of the pair; null for a point
     * @param unit of its values
     * @param repeats number of values whose median is judged: repeats of a point, or blocks of a series
     */
    public record Subject(@Nullable MeasuredPoint point, @Nullable String series, String unit, int repeats) {}

    static final Interval NO_VALUE = Interval.ofRanks();

    /** Returns the judgment of a requirement that is about no point or series. */
    static Judgment ofNothing(Requirement requirement) {
        return new Judgment(requirement, null, NO_VALUE, Outcome.UNDECIDED, Verdict.Doubt.MISSING);
    }

    /**
     * Judges a median.
     *
     * @param clockDoubt the maximum error of the median because of the clocks
     * @param byValue whether the median decides, whatever its interval
     */
    public static Judgment of(
            Requirement requirement, Subject subject, Interval median, double clockDoubt, boolean byValue)
            throws LagbenchException {
        double limit = requirement.limit(subject.unit());
        Interval judged = byValue ? new Interval(median.value(), median.value(), median.value()) : median;
        Outcome plain = outcome(requirement, limit, judged, 0);
        Outcome outcome = outcome(requirement, limit, judged, clockDoubt);
        Verdict.Doubt doubt = outcome == plain ? null : Verdict.Doubt.CLOCK;
        if (!judged.hasEnds()) {
            doubt = Double.isNaN(median.value()) ? Verdict.Doubt.MISSING : Verdict.Doubt.REPEATS;
        }
        return new Judgment(requirement, subject, median, outcome, doubt);
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
        if (requirement.holds(requirement.isUpper() ? high : low, limit)) {
            return Outcome.MET;
        }
        return requirement.holds(requirement.isUpper() ? low : high, limit) ? Outcome.UNDECIDED : Outcome.MISSED;
    }
}
