package org.lagbench.analysis.comparison;

import static org.lagbench.analysis.comparison.Verdict.UNDECIDED;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PacketLoss;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.text.Units;

/**
 * The comparison of the values of an axis with one of them, at each point of the other axes; or of the points of
 * sessions with the same points of others, as if the session were an axis.
 *
 * @param sessions number of sessions on both sides; 1 for values of an axis
 * @param baseline the value, or the names of the sessions, with which the others are compared
 * @param margin the largest difference that is equivalent, as a share
 * @param all by point and metric, in the order of tables; metrics that neither point has are absent, unless they were
 *     asked for, or the sessions have no other for the point
 * @param alone points without a counterpart that has the baseline's value and differs in the axis alone
 * @param onlyInBaseline points that only the other session has; none for values of an axis
 * @param withoutRuns planned points of which neither side has a run, or only the compared side
 * @param observedDifferently points of sessions whose packets were observed in some runs, and in others not, because
 *     the runs decided that
 */
public record Comparisons(
        ComparisonAxis axis,
        int sessions,
        String baseline,
        double margin,
        List<Comparison> all,
        List<MeasuredPoint> alone,
        List<MeasuredPoint> onlyInBaseline,
        List<MeasuredPoint> withoutRuns,
        List<MeasuredPoint> observedDifferently) {
    /** The name of the axis of sessions. Points have no such axis. */
    private static final String SESSION = "session";

    /** A point with the baseline's value, and another that differs from it in the axis alone, in each session. */
    private record Pair(List<PointSummary> baseline, List<PointSummary> compared, Included included) {
        boolean isOfOneSession() {
            return baseline.size() == 1 && compared.size() == 1;
        }

        boolean isSpoiled() {
            return Stream.of(baseline, compared).flatMap(List::stream).anyMatch(PointSummary::isSpoiled);
        }
    }

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
                MeasuredPoint place = axis.place(pair.baseline().get(0).point(), point.point());
                addAll(all, place, pair, metrics, new Limits(between.margin(), 1));
            }
        }
        return new Comparisons(axis, 1, baseline, between.margin(), all, alone, List.of(), List.of(), List.of());
    }

    /**
     * Compares the points that both sides have. With one session a side, repeats are compared; with several, sessions.
     *
     * @param asked the metrics to compare; none for the main ones that points have
     * @param limits the margin, and which share of the planned runs of a point may be missing
     * @throws LagbenchException with {@link ExitCode#USAGE} if no point can have a metric
     */
    public static Comparisons ofSessions(
            List<Summary> baseline, List<Summary> compared, List<Metric> asked, Limits limits)
            throws LagbenchException {
        Map<MeasuredPoint, List<PointSummary>> before = byPoint(baseline);
        Map<MeasuredPoint, List<PointSummary>> after = byPoint(compared);
        for (Metric metric : asked) {
            checkDefined(metric, Stream.concat(before.keySet().stream(), after.keySet().stream()));
        }
        List<Metric> metrics = asked.isEmpty() ? Metric.main() : asked;
        List<Comparison> all = new ArrayList<>();
        List<MeasuredPoint> observedDifferently = new ArrayList<>();
        after.forEach((point, summaries) -> {
            List<PointSummary> baselines = before.get(point);
            if (baselines != null) {
                if (isObservedDifferently(baselines, summaries)) {
                    observedDifferently.add(point);
                }
                Included included = Stream.concat(baseline.stream(), compared.stream())
                        .map(session -> session.included(point))
                        .reduce(Included.NONE, Included::plus);
                Pair pair = new Pair(baselines, summaries, included);
                int known = all.size();
                addAll(all, point, pair, metrics, limits);
                for (Metric metric : metrics) {
                    List<Comparison> rows = all.subList(known, all.size());
                    boolean isMissing = asked.isEmpty()
                            ? rows.isEmpty()
                            : rows.stream().noneMatch(row -> row.metric().equals(metric));
                    if (isMissing && isDefined(metric, point)) {
                        all.add(withoutValue(point, pair, metric));
                    }
                }
            }
        });
        List<MeasuredPoint> withoutRuns = Stream.concat(baseline.stream(), compared.stream())
                .flatMap(session -> session.missingPoints().stream())
                .filter(point -> !before.containsKey(point) || after.containsKey(point))
                .distinct()
                .sorted()
                .toList();
        String name = Summary.ofAll(baseline).session();
        ComparisonAxis axis = new ComparisonAxis(
                SESSION, List.of(name, Summary.ofAll(compared).session()), Set.of(), false);
        return new Comparisons(
                axis,
                baseline.size() + compared.size(),
                name,
                limits.margin(),
                all,
                without(after, before),
                without(before, after),
                withoutRuns,
                observedDifferently);
    }

    private static boolean isDefined(Metric metric, MeasuredPoint point) {
        return MetricGroup.isOfPoints(metric) && MetricMeaning.isDefined(metric.id(), point.traffic());
    }

    private static void checkDefined(Metric metric, Stream<MeasuredPoint> points) throws LagbenchException {
        if (points.noneMatch(point -> isDefined(metric, point))) {
            throw ExitCode.USAGE.failure("No point of the sessions can have " + metric.id()
                    + ": docs/reference/metrics.md lists which traffic has it.");
        }
    }

    /** Returns that nothing can be said of a metric that neither side has. */
    private static Comparison withoutValue(MeasuredPoint place, Pair pair, Metric metric) {
        Interval none = Interval.ofRanks();
        return new Comparison(
                place,
                pair.baseline().get(0).point(),
                pair.compared().get(0).point(),
                metric,
                0,
                Double.NaN,
                Double.NaN,
                none,
                none,
                pair.included(),
                Double.NaN,
                UNDECIDED,
                Verdict.Doubt.MISSING);
    }

    private static boolean isObservedDifferently(List<PointSummary> baselines, List<PointSummary> compared) {
        return Stream.of(baselines, compared).flatMap(List::stream).anyMatch(PointSummary::hasObservedRun)
                && Stream.of(baselines, compared).flatMap(List::stream).anyMatch(PointSummary::hasUnobservedRun);
    }

    private static Map<MeasuredPoint, List<PointSummary>> byPoint(List<Summary> sessions) {
        return sessions.stream()
                .flatMap(session -> session.points().stream())
                .collect(Collectors.groupingBy(PointSummary::point, TreeMap::new, Collectors.toList()));
    }

    private static List<MeasuredPoint> without(
            Map<MeasuredPoint, List<PointSummary>> points, Map<MeasuredPoint, List<PointSummary>> others) {
        return points.keySet().stream()
                .filter(point -> !others.containsKey(point))
                .toList();
    }

    /** Returns whether it compares sessions, not the values of an axis. */
    public boolean isOfSessions() {
        return sessions > 1;
    }

    /** Returns whether each session is one value of the comparison; otherwise each repeat is one. */
    public boolean isBySession() {
        return sessions > 2;
    }

    private static void addAll(
            List<Comparison> all, MeasuredPoint place, Pair pair, List<Metric> metrics, Limits limits) {
        for (Metric metric : metrics) {
            Comparison comparison = compare(place, pair, metric, limits);
            if (comparison != null) {
                all.add(comparison);
            }
        }
    }

    /**
     * Returns the pairs of a point with the points that have the baseline's value; empty if the point has that value
     * itself.
     */
    private static List<Pair> pairs(Summary summary, ComparisonAxis axis, String baseline, PointSummary point) {
        String value = axis.value(point.point());
        return value == null || value.equals(baseline)
                ? List.of()
                : summary.points().stream()
                        .filter(other -> baseline.equals(axis.value(other.point())))
                        .filter(other -> axis.isSamePlace(other.point(), point.point()))
                        .map(other -> new Pair(List.of(other), List.of(point), Included.NONE))
                        .toList();
    }

    /**
     * Returns the comparison of a metric; null if neither side has it.
     *
     * @param place what both points have in common
     */
    private static @Nullable Comparison compare(MeasuredPoint place, Pair pair, Metric metric, Limits limits) {
        if (hasNone(metric, pair.baseline()) && hasNone(metric, pair.compared())) {
            return null;
        }
        List<Map<Integer, Double>> baselines = byRepeat(metric, pair.baseline());
        List<Map<Integer, Double>> compared = byRepeat(metric, pair.compared());
        Sides sides =
                pair.isOfOneSession() ? Sides.ofRepeats(baselines, compared) : Sides.ofSessions(baselines, compared);
        RatioEstimate ratio = sides.ratio();
        boolean hasRatio = !Double.isNaN(ratio.ratio().value());
        double doubt = hasRatio && metric.needsCommonClock()
                ? clockDoubt(pair.baseline(), ratio.baseline()) + clockDoubt(pair.compared(), ratio.compared())
                : 0;
        double margin = limits.margin();
        Verdict verdict = hasRatio
                ? ratio.verdict(margin, doubt, metric.smallerIsBetter())
                : ofDifference(sides.difference(), metric);
        Verdict.Doubt reason = null;
        if (!hasRatio && verdict == UNDECIDED) {
            reason = Verdict.Doubt.VALUE;
        } else if (hasRatio && !ratio.ratio().hasEnds()) {
            reason = Verdict.Doubt.REPEATS;
        } else if (hasRatio && verdict != ratio.verdict(margin, 0, metric.smallerIsBetter())) {
            reason = Verdict.Doubt.CLOCK;
        } else if (hasRatio && ratio.isDoubtedByDependence(margin, metric.smallerIsBetter())) {
            reason = Verdict.Doubt.DEPENDENCE;
        } else if (metric.smallerIsBetter() && isDoubtedByLoss(pair, verdict)) {
            reason = Verdict.Doubt.LOSS;
        } else if (verdict != Verdict.WORSE && pair.included().isIncomplete(limits.acceptedMissing())) {
            reason = Verdict.Doubt.INCOMPLETE;
        }
        boolean isOfFew = reason == Verdict.Doubt.VALUE || reason == Verdict.Doubt.REPEATS;
        if (pair.isSpoiled() && (isOfFew || (reason == null && verdict == UNDECIDED))) {
            reason = Verdict.Doubt.SPOILED;
        }
        return new Comparison(
                place,
                pair.baseline().get(0).point(),
                pair.compared().get(0).point(),
                metric,
                sides.count(),
                ratio.baseline(),
                ratio.compared(),
                ratio.ratio(),
                sides.difference(),
                pair.included(),
                ratio.nonEquivalence(margin, doubt),
                reason == null ? verdict : UNDECIDED,
                reason);
    }

    /**
     * Returns what a difference shows where there is no ratio, because a value is 0 or less. Clocks may be further
     * apart than it, so that it shows nothing of lags.
     */
    private static Verdict ofDifference(Interval difference, Metric metric) {
        if (metric.needsCommonClock() || !(difference.low() > 0 || difference.high() < 0)) {
            return UNDECIDED;
        }
        return difference.low() > 0 == metric.smallerIsBetter() ? Verdict.WORSE : Verdict.BETTER;
    }

    private static boolean hasNone(Metric metric, List<PointSummary> sessions) {
        return sessions.stream().allMatch(point -> point.byRepeat(metric).isEmpty());
    }

    /** Returns the values of the repeats of each session that has one. Spoiled runs decide nothing. */
    private static List<Map<Integer, Double>> byRepeat(Metric metric, List<PointSummary> sessions) {
        return sessions.stream()
                .map(point -> point.deciding().byRepeat(metric))
                .filter(values -> !values.isEmpty())
                .toList();
    }

    /**
     * What the values of a metric on two sides show.
     *
     * @param count number of values: repeats that both sides have, or sessions of both sides
     */
    private record Sides(int count, RatioEstimate ratio, Interval difference) {
        static Sides ofRepeats(List<Map<Integer, Double>> baseline, List<Map<Integer, Double>> compared) {
            CommonRepeats repeats = CommonRepeats.of(
                    baseline.isEmpty() ? Map.of() : baseline.get(0), compared.isEmpty() ? Map.of() : compared.get(0));
            return new Sides(repeats.count(), RatioEstimate.of(repeats), repeats.difference());
        }

        static Sides ofSessions(List<Map<Integer, Double>> baseline, List<Map<Integer, Double>> compared) {
            return new Sides(
                    baseline.size() + compared.size(),
                    RatioEstimate.ofSessions(
                            medians(baseline, Interval::ofMedian), medians(compared, Interval::ofMedian)),
                    MeanDifference.of(
                                    medians(baseline, Interval::ofSignedMedian),
                                    medians(compared, Interval::ofSignedMedian))
                            .interval());
        }

        private static double[] medians(List<Map<Integer, Double>> sessions, Function<double[], Interval> median) {
            return sessions.stream()
                    .map(values ->
                            values.values().stream().mapToDouble(value -> value).toArray())
                    .mapToDouble(values -> median.apply(values).value())
                    .toArray();
        }
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
        return verdict(Interval.ofMedian(ratios), nonEquivalence(ratios, margin, doubt), doubt, smallerIsBetter);
    }

    static Verdict verdict(Interval ratio, double nonEquivalence, double doubt, boolean smallerIsBetter) {
        if (!ratio.hasEnds()) {
            return UNDECIDED;
        }
        if (nonEquivalence <= 1 - Interval.CONFIDENCE) {
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

    private static PacketLoss loss(List<PointSummary> sessions) {
        return sessions.stream()
                .flatMap(point -> point.deciding().runs().stream())
                .map(run -> run.metrics().loss())
                .reduce(PacketLoss.NONE, PacketLoss::plus);
    }

    /** Returns whether the side that lost more packets looks faster, or as fast. Lost packets have no times. */
    private static boolean isDoubtedByLoss(Pair pair, Verdict verdict) {
        PacketLoss baseline = loss(pair.baseline());
        PacketLoss compared = loss(pair.compared());
        return switch (verdict) {
            case BETTER -> compared.isGreaterThan(baseline);
            case WORSE -> baseline.isGreaterThan(compared);
            case EQUIVALENT -> compared.isGreaterThan(baseline) || baseline.isGreaterThan(compared);
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
