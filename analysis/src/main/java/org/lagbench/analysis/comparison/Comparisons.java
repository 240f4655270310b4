package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.MetricRegistry;

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
        List<Metric<?>> metrics = MetricRegistry.compared();
        for (PointSummary point : summary.points()) {
            List<PointPair> pairs = pairs(summary, axis, baseline, point);
            if (pairs.isEmpty() && !baseline.equals(axis.value(point.point()))) {
                alone.add(point.point());
            }
            for (PointPair pair : pairs) {
                addAll(all, pair, metrics, new Limits(between.margin(), 1));
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
            List<Summary> baseline, List<Summary> compared, List<Metric<?>> asked, Limits limits)
            throws LagbenchException {
        Map<MeasuredPoint, List<PointSummary>> before = byPoint(baseline);
        Map<MeasuredPoint, List<PointSummary>> after = byPoint(compared);
        for (Metric<?> metric : asked) {
            checkDefined(metric, Stream.concat(before.keySet().stream(), after.keySet().stream()));
        }
        List<Metric<?>> metrics = asked.isEmpty() ? MetricRegistry.main() : asked;
        List<Comparison> all = new ArrayList<>();
        List<MeasuredPoint> observedDifferently = new ArrayList<>();
        after.forEach((point, summaries) -> {
            List<PointSummary> baselines = before.get(point);
            if (baselines != null) {
                Included included = Stream.concat(baseline.stream(), compared.stream())
                        .map(session -> session.included(point))
                        .reduce(Included.NONE, Included::plus);
                PointPair pair = new PointPair(point, baselines, summaries, included);
                if (pair.isObservedDifferently()) {
                    observedDifferently.add(point);
                }
                int known = all.size();
                addAll(all, pair, metrics, limits);
                for (Metric<?> metric : metrics) {
                    List<Comparison> rows = all.subList(known, all.size());
                    boolean isMissing = asked.isEmpty()
                            ? rows.isEmpty()
                            : rows.stream().noneMatch(row -> row.metric().equals(metric));
                    if (isMissing && isDefined(metric, point)) {
                        all.add(pair.withoutValue(metric));
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

    private static boolean isDefined(Metric<?> metric, MeasuredPoint point) {
        return MetricGroups.isOfPoints(metric) && MetricMeaning.isDefined(metric.id(), point.traffic());
    }

    private static void checkDefined(Metric<?> metric, Stream<MeasuredPoint> points) throws LagbenchException {
        if (points.noneMatch(point -> isDefined(metric, point))) {
            throw ExitCode.USAGE.failure("No point of the sessions can have " + metric.id()
                    + ": docs/reference/metrics.md lists which traffic has it.");
        }
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

    private static void addAll(List<Comparison> all, PointPair pair, List<Metric<?>> metrics, Limits limits) {
        for (Metric<?> metric : metrics) {
            Comparison comparison = pair.compare(metric, limits);
            if (comparison != null) {
                all.add(comparison);
            }
        }
    }

    /**
     * Returns the pairs of a point with the points that have the baseline's value; empty if the point has that value
     * itself.
     */
    private static List<PointPair> pairs(Summary summary, ComparisonAxis axis, String baseline, PointSummary point) {
        String value = axis.value(point.point());
        return value == null || value.equals(baseline)
                ? List.of()
                : summary.points().stream()
                        .filter(other -> baseline.equals(axis.value(other.point())))
                        .filter(other -> axis.isSamePlace(other.point(), point.point()))
                        .map(other -> new PointPair(
                                axis.place(other.point(), point.point()),
                                List.of(other),
                                List.of(point),
                                Included.NONE))
                        .toList();
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
