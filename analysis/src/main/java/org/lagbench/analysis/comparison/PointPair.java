package org.lagbench.analysis.comparison;

import static org.lagbench.analysis.comparison.Verdict.UNDECIDED;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparisons.Limits;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PacketLoss;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * A point with the baseline's value, and another that differs from it in the axis alone, in each session.
 *
 * @param place what both points have in common
 * @param included how many of the planned runs of both points were measured
 */
record PointPair(MeasuredPoint place, List<PointSummary> baseline, List<PointSummary> compared, Included included) {
    /** Returns the comparison of a metric; null if neither side has it. */
    @Nullable
    Comparison compare(Metric<?> metric, Limits limits) {
        if (hasNone(metric, baseline) && hasNone(metric, compared)) {
            return null;
        }
        Sides sides = Sides.of(metric, baseline, compared);
        RatioEstimate ratio = sides.ratio();
        boolean hasRatio = !Double.isNaN(ratio.ratio().value());
        double doubt = hasRatio && metric.needsCommonClock()
                ? clockDoubt(baseline, ratio.baseline()) + clockDoubt(compared, ratio.compared())
                : 0;
        Verdict verdict = hasRatio
                ? ratio.verdict(limits.margin(), doubt, metric.smallerIsBetter())
                : RatioTest.ofDifference(sides.difference(), metric.needsCommonClock(), metric.smallerIsBetter());
        Verdict.Doubt reason = reason(metric, sides, verdict, limits);
        boolean isOfFew = reason == Verdict.Doubt.VALUE || reason == Verdict.Doubt.REPEATS;
        if (isSpoiled() && (isOfFew || (reason == null && verdict == UNDECIDED))) {
            reason = Verdict.Doubt.SPOILED;
        }
        return new Comparison(
                place,
                baseline.get(0).point(),
                compared.get(0).point(),
                metric,
                sides.count(),
                ratio.baseline(),
                ratio.compared(),
                ratio.ratio(),
                sides.difference(),
                included,
                ratio.nonEquivalence(limits.margin(), doubt),
                reason == null ? verdict : UNDECIDED,
                emptySides(),
                reason);
    }

    /** Returns why a verdict is in doubt; null if it is not. */
    private Verdict.@Nullable Doubt reason(Metric<?> metric, Sides sides, Verdict verdict, Limits limits) {
        RatioEstimate ratio = sides.ratio();
        if (Double.isNaN(ratio.ratio().value())) {
            if (isWithoutValue(metric, ratio)) {
                return Verdict.Doubt.MISSING;
            }
            if (verdict == UNDECIDED) {
                boolean isOfMedian = metric.combination() == Combination.MEDIAN;
                return isOfMedian || sides.difference().hasEnds() ? Verdict.Doubt.VALUE : Verdict.Doubt.REPEATS;
            }
        } else if (!ratio.ratio().hasEnds()) {
            return Verdict.Doubt.REPEATS;
        } else if (verdict != ratio.verdict(limits.margin(), 0, metric.smallerIsBetter())) {
            return Verdict.Doubt.CLOCK;
        } else if (ratio.isDoubtedByDependence(limits.margin(), metric.smallerIsBetter())) {
            return Verdict.Doubt.DEPENDENCE;
        }
        if (metric.smallerIsBetter() && isDoubtedByLoss(verdict)) {
            return Verdict.Doubt.LOSS;
        }
        return verdict != Verdict.WORSE && included.isIncomplete(limits.acceptedMissing())
                ? Verdict.Doubt.INCOMPLETE
                : null;
    }

    /**
     * Returns whether a side has no value, or a share, sum, min or max is unknown, because a run has none, although not
     * all were spoiled.
     */
    private boolean isWithoutValue(Metric<?> metric, RatioEstimate ratio) {
        return (metric.combination() == Combination.MEDIAN
                        ? hasNone(metric, baseline) || hasNone(metric, compared)
                        : Double.isNaN(ratio.baseline()) || Double.isNaN(ratio.compared()))
                && Stream.of(baseline, compared)
                        .flatMap(List::stream)
                        .allMatch(point -> !point.deciding().runs().isEmpty());
    }

    /** Returns that nothing can be said of a metric that neither side has. */
    Comparison withoutValue(Metric<?> metric) {
        Interval none = Interval.ofRanks();
        return new Comparison(
                place,
                baseline.get(0).point(),
                compared.get(0).point(),
                metric,
                0,
                Double.NaN,
                Double.NaN,
                none,
                none,
                included,
                Double.NaN,
                UNDECIDED,
                emptySides(),
                Verdict.Doubt.MISSING);
    }

    /** Returns whether the packets of some runs were observed, and those of others not. */
    boolean isObservedDifferently() {
        return Stream.of(baseline, compared).flatMap(List::stream).anyMatch(PointSummary::hasObservedRun)
                && Stream.of(baseline, compared).flatMap(List::stream).anyMatch(PointSummary::hasUnobservedRun);
    }

    private boolean isSpoiled() {
        return Stream.of(baseline, compared).flatMap(List::stream).anyMatch(PointSummary::isSpoiled);
    }

    private static boolean hasNone(Metric<?> metric, List<PointSummary> sessions) {
        return sessions.stream().allMatch(point -> point.byRepeat(metric).isEmpty());
    }

    /**
     * Returns the maximum error that the clocks cause in the logarithm of a lag of one or several sessions; infinite if
     * a bound is unknown, or not less than the lag.
     */
    private static double clockDoubt(List<PointSummary> sessions, double lagUs) {
        double doubt = 0;
        for (PointSummary point : sessions) {
            double share = point.pooled().clock().errorNs(Units.NS_PER_US * lagUs) / Units.NS_PER_US / lagUs;
            doubt = Math.max(doubt, share >= 1 ? Double.POSITIVE_INFINITY : -Math.log1p(-share));
        }
        return doubt;
    }

    private Set<Comparison.Side> emptySides() {
        Set<Comparison.Side> empty = EnumSet.allOf(Comparison.Side.class);
        empty.removeIf(side -> (side == Comparison.Side.BASELINE ? baseline : compared)
                .stream().anyMatch(point -> point.pooled().packets().received() > 0));
        return empty;
    }

    private static PacketLoss loss(List<PointSummary> sessions) {
        return sessions.stream()
                .flatMap(point -> point.deciding().runs().stream())
                .map(run -> run.metrics().loss())
                .reduce(PacketLoss.NONE, PacketLoss::plus);
    }

    /** Returns whether the side that lost more packets looks faster, or as fast. Lost packets have no times. */
    private boolean isDoubtedByLoss(Verdict verdict) {
        PacketLoss before = loss(baseline);
        PacketLoss after = loss(compared);
        return switch (verdict) {
            case BETTER -> after.isGreaterThan(before);
            case WORSE -> before.isGreaterThan(after);
            case EQUIVALENT -> after.isGreaterThan(before) || before.isGreaterThan(after);
            case UNDECIDED -> false;
        };
    }
}
