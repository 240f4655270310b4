package org.lagbench.analysis.comparison;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Limit;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * Whether a point, a series of a monitor, or a pair of a matrix meets a requirement.
 *
 * @param subject null if the requirement selects no point or series
 * @param estimate of the value over the repeats, combined as the metric declares, in the subject's unit
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
     * @param combined how the repeats combine
     * @param repeats number of values that are judged: repeats of a point, or blocks of a series
     * @param included how many of the planned runs of a point, or values of a series, were measured
     */
    public record Subject(
            @Nullable MeasuredPoint point,
            @Nullable String series,
            String unit,
            Combination combined,
            int repeats,
            Included included) {}

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
     * Judges an estimate.
     *
     * @param clockDoubt the maximum error of the estimate because of the clocks
     */
    public static Judgment of(
            Requirement requirement, Subject subject, Interval estimate, double clockDoubt, Basis basis)
            throws LagbenchException {
        Target target =
                new Target(requirement.bound(), requirement.limit(subject.unit()), subject.unit(), subject.combined());
        Decision decision = decide(target, estimate, clockDoubt, basis.byValue());
        boolean canChange =
                subject.combined().isOfRunsAlone() && !subject.combined().isFinal(target.isUpper());
        return (decision.outcome() != Outcome.MISSED || canChange)
                        && subject.included().isIncomplete(basis.acceptedMissing())
                ? new Judgment(requirement, subject, estimate, Outcome.UNDECIDED, Verdict.Doubt.INCOMPLETE)
                : new Judgment(requirement, subject, estimate, decision.outcome(), decision.doubt());
    }

    /**
     * What an estimate is judged by.
     *
     * @param limit that of the bound, in the unit
     * @param combined how the repeats combine
     */
    public record Target(Limit bound, double limit, String unit, Combination combined) {
        /**
         * Returns the limit of a metric.
         *
         * @throws IllegalArgumentException with a clause, if it is not a quantity of the metric's unit
         */
        public static Target of(Limit bound, Metric<?> metric) {
            return new Target(bound, bound.in(metric.unit()), metric.unit(), metric.combination());
        }

        boolean isUpper() {
            return bound.isUpper();
        }

        /**
         * Returns whether it is about the measured runs alone: no sample proves that a share is 0 or 100 %, and a sum,
         * a min and a max are known exactly.
         */
        boolean isOfSample(Interval estimate) {
            return estimate.hasEnds() && (isAtEnd() || combined.isOfRunsAlone());
        }

        private boolean isAtEnd() {
            return combined == Combination.POOLED
                    && unit.equals(Metric.PERCENT)
                    && limit == (isUpper() ? 0 : Units.PERCENT);
        }

        /** Returns whether a value misses it, whatever further runs show. */
        boolean isMissedForever(double value) {
            return !Double.isNaN(value) && !bound.holds(value, limit) && (isAtEnd() || combined.isFinal(isUpper()));
        }
    }

    /**
     * Whether a limit is met.
     *
     * @param doubt why it is undecided; null if only because the interval contains the limit, or if it is decided
     */
    public record Decision(Outcome outcome, Verdict.@Nullable Doubt doubt) {}

    /**
     * Decides what the runs of a point show of a limit: the judgment of requirements and of tuning.
     *
     * @param tail the probability that they are decided wrongly, at either side of the limit
     */
    public static Decision decide(Limit bound, RepeatEstimate estimate, double tail) {
        return decide(Target.of(bound, estimate.metric()), estimate.interval(tail), 0, false);
    }

    private static Decision decide(Target target, Interval estimate, double clockDoubt, boolean byValue) {
        double value = estimate.value();
        boolean isByValue = byValue || target.isMissedForever(value) || target.isOfSample(estimate);
        Interval judged = isByValue ? new Interval(value, value, value) : estimate;
        if (!judged.hasEnds()) {
            return new Decision(Outcome.UNDECIDED, Double.isNaN(value) ? Verdict.Doubt.MISSING : Verdict.Doubt.REPEATS);
        }
        Outcome plain = outcome(target.bound(), target.limit(), judged, 0);
        Outcome outcome = outcome(target.bound(), target.limit(), judged, clockDoubt);
        return new Decision(outcome, outcome == plain ? null : Verdict.Doubt.CLOCK);
    }

    /** Returns this as the judgment by those runs that the machine did not spoil, if there are others. */
    public Judgment ofRestOfRuns() {
        return verdict != Outcome.UNDECIDED || doubt == Verdict.Doubt.CLOCK || doubt == Verdict.Doubt.INCOMPLETE
                ? this
                : new Judgment(requirement, subject, estimate, verdict, Verdict.Doubt.SPOILED);
    }

    /** Returns whether it is met by the measured runs alone, although the interval contains the limit. */
    public boolean holdsForSampleAlone() {
        return subject != null
                && verdict == Outcome.MET
                && subject.combined() == Combination.POOLED
                && new Target(
                                requirement.bound(),
                                requirement.bound().in(subject.unit()),
                                subject.unit(),
                                subject.combined())
                        .isOfSample(estimate);
    }

    /**
     * Returns what an interval shows of a limit; without ends, nothing.
     *
     * @param doubt the maximum error of the values for reasons other than the differences of the repeats
     */
    public static Outcome outcome(Limit bound, double limit, Interval interval, double doubt) {
        double low = interval.low() - doubt;
        double high = interval.high() + doubt;
        if (!interval.hasEnds()) {
            return Outcome.UNDECIDED;
        }
        if (bound.holds(bound.isUpper() ? high : low, limit)) {
            return Outcome.MET;
        }
        return bound.holds(bound.isUpper() ? low : high, limit) ? Outcome.UNDECIDED : Outcome.MISSED;
    }
}
