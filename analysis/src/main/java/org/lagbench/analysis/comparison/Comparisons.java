package org.lagbench.analysis.comparison;

import static org.lagbench.analysis.comparison.Verdict.UNDECIDED;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.Metric;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;

/**
 * The comparison of the values of an axis with one of them, at each point of the other axes; or of the points of a
 * session with the same points of another, as if the session were an axis.
 *
 * @param baseline the value, or the name of the session, with which the others are compared
 * @param margin the largest difference that is equivalent, as a share
 * @param all by point and metric, in the order of tables; metrics that neither point has are absent
 * @param alone points without a counterpart that has the baseline's value and differs in the axis alone
 * @param onlyInBaseline points that only the other session has; none for values of an axis
 * @param withoutRuns points that a session planned, and of which neither has a run, or only the compared one
 */
public record Comparisons(
        ComparisonAxis axis,
        String baseline,
        double margin,
        List<Comparison> all,
        List<MeasuredPoint> alone,
        List<MeasuredPoint> onlyInBaseline,
        List<MeasuredPoint> withoutRuns) {
    /** The name of the axis of two sessions. Points have no such axis. */
    private static final String SESSION = "session";

    /** A point with the baseline's value, and another that differs from it in the axis alone. */
    private record Pair(PointSummary baseline, PointSummary compared, Included included) {}

    /**
     * Checks that a session has an axis and its baseline, before its captures are read. A session without a readable
     * run passes.
     *
     * @throws LagbenchException as {@link #of}
     */
    public static void check(Session session, Between between) throws LagbenchException {
        List<MeasuredPoint> points = Summaries.points(session);
        if (!points.isEmpty()) {
            ComparisonAxis.of(between.axis(), points).baseline(between.baseline());
        }
    }

    /**
     * Compares the points of a summary.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if the session has no such axis or value, or the axis has
     *     one value; the message names the axes or values
     */
    public static Comparisons of(Summary summary, Between between) throws LagbenchException {
        ComparisonAxis axis = ComparisonAxis.of(
                between.axis(),
                summary.points().stream().map(PointSummary::point).toList());
        String baseline = axis.baseline(between.baseline());
        List<Comparison> all = new ArrayList<>();
        List<MeasuredPoint> alone = new ArrayList<>();
        List<Metric> metrics = Metric.compared();
        for (PointSummary point : summary.points()) {
            List<Pair> pairs = pairs(summary, axis, baseline, point);
            if (pairs.isEmpty() && !baseline.equals(axis.value(point.point()))) {
                alone.add(point.point());
            }
            for (Pair pair : pairs) {
                MeasuredPoint place = axis.place(pair.baseline().point(), point.point());
                addAll(all, place, pair, metrics, new Limits(between.margin(), 1));
            }
        }
        return new Comparisons(axis, baseline, between.margin(), all, alone, List.of(), List.of());
    }

    /**
     * Compares the points that both sessions have.
     *
     * @param limits the margin, and which share of the planned runs of a point may be missing
     */
    public static Comparisons ofSessions(Summary baseline, Summary compared, List<Metric> metrics, Limits limits) {
        Map<MeasuredPoint, PointSummary> baselines = new HashMap<>();
        baseline.points().forEach(point -> baselines.put(point.point(), point));
        List<Comparison> all = new ArrayList<>();
        List<MeasuredPoint> alone = new ArrayList<>();
        for (PointSummary point : compared.points()) {
            PointSummary before = baselines.remove(point.point());
            if (before == null) {
                alone.add(point.point());
            } else {
                Included included = baseline.included(point.point()).plus(compared.included(point.point()));
                addAll(all, point.point(), new Pair(before, point, included), metrics, limits);
            }
        }
        List<MeasuredPoint> onlyInBaseline =
                baselines.keySet().stream().sorted().toList();
        ComparisonAxis axis =
                new ComparisonAxis(SESSION, List.of(baseline.session(), compared.session()), Set.of(), false);
        List<MeasuredPoint> withoutRuns = Stream.concat(baseline.missingPoints().stream(), compared.missingPoints().stream())
                .filter(point -> !onlyInBaseline.contains(point))
                .distinct()
                .sorted()
                .toList();
        return new Comparisons(axis, baseline.session(), limits.margin(), all, alone, onlyInBaseline, withoutRuns);
    }

    /** Returns whether it is of the points of two sessions. */
    public boolean isOfSessions() {
        return axis.name().equals(SESSION);
    }

    private static void addAll(List<Comparison> all, MeasuredPoint place, Pair pair, List<Metric> metrics, Limits limits) {
        for (Metric metric : metrics) {
            Comparison comparison = compare(place, pair, metric, limits);
            if (comparison != null) {
                all.add(comparison);
            }
        }
    }

    /** Returns the pairs of a point with points of the baseline's value; none if it has that value itself. */
    private static List<Pair> pairs(Summary summary, ComparisonAxis axis, String baseline, PointSummary point) {
        String value = axis.value(point.point());
        return value == null || value.equals(baseline)
                ? List.of()
                : summary.points().stream()
                        .filter(other -> baseline.equals(axis.value(other.point())))
                        .filter(other -> axis.isSamePlace(other.point(), point.point()))
                        .map(other -> new Pair(other, point, Included.NONE))
                        .toList();
    }

    /**
     * Returns the comparison of a metric; null if neither point has it.
     *
     * @param place what both points have in common
     */
    private static @Nullable Comparison compare(MeasuredPoint place, Pair pair, Metric metric, Limits limits) {
        double margin = limits.margin();
        Map<Integer, Double> baselines = metric.byRepeat(pair.baseline());
        Map<Integer, Double> compared = metric.byRepeat(pair.compared());
        if (baselines.isEmpty() && compared.isEmpty()) {
            return null;
        }
        baselines.keySet().retainAll(compared.keySet());
        compared.keySet().retainAll(baselines.keySet());
        double[] denominators = array(baselines.values());
        double[] numerators = array(compared.values());
        double[] ratios = new double[denominators.length];
        for (int i = 0; i < ratios.length; i++) {
            boolean isPositive = numerators[i] > 0 && denominators[i] > 0;
            ratios[i] = isPositive ? numerators[i] / denominators[i] : Double.NaN;
        }
        boolean hasRatios = ratios.length > 0 && Arrays.stream(ratios).noneMatch(Double::isNaN);
        double[] known = hasRatios ? ratios : new double[0];
        double baseline = hasRatios ? Interval.ofMedian(denominators).value() : Double.NaN;
        double other = hasRatios ? Interval.ofMedian(numerators).value() : Double.NaN;
        double doubt = hasRatios && metric.needsCommonClock()
                ? clockDoubt(pair.baseline(), baseline) + clockDoubt(pair.compared(), other)
                : 0;
        Verdict verdict = verdict(known, margin, doubt, metric.smallerIsBetter());
        Verdict.Doubt reason = null;
        if (!hasRatios) {
            reason = Verdict.Doubt.VALUE;
        } else if (known.length < Interval.MIN_OF_MEDIAN) {
            reason = Verdict.Doubt.REPEATS;
        } else if (verdict != verdict(known, margin, 0, metric.smallerIsBetter())) {
            reason = Verdict.Doubt.CLOCK;
        } else if (metric.smallerIsBetter() && isDoubtedByLoss(pair, verdict)) {
            reason = Verdict.Doubt.LOSS;
        } else if (verdict != Verdict.WORSE && pair.included().isIncomplete(limits.acceptedMissing())) {
            reason = Verdict.Doubt.INCOMPLETE;
        }
        return new Comparison(
                place,
                pair.baseline().point(),
                pair.compared().point(),
                metric,
                known.length,
                baseline,
                other,
                Interval.ofMedian(known),
                pair.included(),
                nonEquivalence(known, margin, doubt),
                reason == null ? verdict : UNDECIDED,
                reason);
    }

    /**
     * Returns what ratios show; with fewer than {@value Interval#MIN_OF_MEDIAN}, nothing.
     *
     * @param ratios the ratio in each repeat
     * @param margin ratios from 1/(1 + margin) to 1 + margin are equivalent
     * @param doubt the maximum error of the logarithm for reasons other than the differences of the repeats
     * @param smallerIsBetter whether ratios below 1 are better
     */
    public static Verdict verdict(double[] ratios, double margin, double doubt, boolean smallerIsBetter) {
        if (ratios.length < Interval.MIN_OF_MEDIAN) {
            return UNDECIDED;
        }
        Interval ratio = Interval.ofMedian(ratios);
        if (nonEquivalence(ratios, margin, doubt) <= 1 - Interval.CONFIDENCE) {
            return Verdict.EQUIVALENT;
        }
        if (Math.log(ratio.high()) + doubt < 0) {
            return smallerIsBetter ? Verdict.BETTER : Verdict.WORSE;
        }
        if (Math.log(ratio.low()) - doubt > 0) {
            return smallerIsBetter ? Verdict.WORSE : Verdict.BETTER;
        }
        return UNDECIDED;
    }

    /**
     * Returns the p-value of the hypothesis that the median ratio is outside of the margin: the greater one of two
     * one-sided sign tests (Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", J.
     * Pharmacokinetics and Biopharmaceutics 15, 1987).
     *
     * @param ratios the ratio in each repeat
     * @param margin ratios from 1/(1 + margin) to 1 + margin are within
     * @param doubt the maximum error of the logarithm for reasons other than the differences of the repeats
     * @return NaN if there are fewer than {@value Interval#MIN_OF_MEDIAN} repeats
     */
    static double nonEquivalence(double[] ratios, double margin, double doubt) {
        if (ratios.length < Interval.MIN_OF_MEDIAN) {
            return Double.NaN;
        }
        double bound = Math.log1p(margin) - doubt;
        long above =
                Arrays.stream(ratios).filter(ratio -> Math.log(ratio) >= bound).count();
        long below =
                Arrays.stream(ratios).filter(ratio -> -Math.log(ratio) >= bound).count();
        return new BinomialDistribution(null, ratios.length, .5).cumulativeProbability((int) Math.max(above, below));
    }

    private static double[] array(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /**
     * Returns the maximum error of the logarithm of a point's lag because of the clocks; infinite if the bound is
     * unknown, or not less than the lag.
     */
    private static double clockDoubt(PointSummary point, double lagUs) {
        Long boundNs = point.pooled().clock().boundNs();
        double share = boundNs == null ? 1 : (double) boundNs / Units.NS_PER_US / lagUs;
        return share >= 1 ? Double.POSITIVE_INFINITY : -Math.log1p(-share);
    }

    /** Returns whether the side that lost more packets looks faster, or as fast. Lost packets have no times. */
    private static boolean isDoubtedByLoss(Pair pair, Verdict verdict) {
        RunPacketCounts baseline = pair.baseline().pooled().packets();
        RunPacketCounts compared = pair.compared().pooled().packets();
        return switch (verdict) {
            case BETTER -> compared.isLossierThan(baseline);
            case WORSE -> baseline.isLossierThan(compared);
            case EQUIVALENT -> compared.isLossierThan(baseline) || baseline.isLossierThan(compared);
            case UNDECIDED -> false;
        };
    }

    /**
     * The limits of verdicts.
     *
     * @param margin the largest difference that is equivalent, as a share
     * @param acceptedMissing the share of the planned runs of a point that may be missing; with more, it is neither
     *     better nor equivalent
     */
    public record Limits(double margin, double acceptedMissing) {}

    /**
     * What to compare.
     *
     * @param axis the name of an axis, one of those in {@link org.lagbench.core.run.Axis}
     * @param baseline the value with which the others are compared; null for the first in the order of tables
     * @param margin the largest difference that is equivalent, as a share: .05 for ratios from 1/1.05 to 1.05
     */
    public record Between(String axis, @Nullable String baseline, double margin) {
        /** The default of {@link #margin}. */
        public static final double MARGIN = .05;
    }
}
