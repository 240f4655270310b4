package org.lagbench.analysis.comparison;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * What the values of a metric on two sides show. Repeats combine as the metric declares. Spoiled runs decide nothing.
 *
 * @param count number of values: repeats that both sides have, or sessions of both sides
 * @param difference compared minus baseline, in the metric's unit
 */
record Sides(int count, RatioEstimate ratio, Interval difference) {
    /**
     * Returns what the sessions of two sides show of a point.
     *
     * @param baseline a summary of each session; if both sides have one, repeats are compared, otherwise sessions
     */
    static Sides of(Metric<?> metric, List<PointSummary> baseline, List<PointSummary> compared) {
        Combination kind = metric.combination();
        boolean isOfSessions = baseline.size() > 1 || compared.size() > 1;
        List<PointSummary> before = deciding(baseline);
        List<PointSummary> after = deciding(compared);
        if (isOfSessions) {
            Set<Integer> common = common(Stream.concat(before.stream(), after.stream()));
            return kind == Combination.MEDIAN
                    ? ofMedians(byRepeat(metric, before), byRepeat(metric, after))
                    : ofSessions(values(metric, before, common), values(metric, after, common));
        }
        RepeatEstimate ofBaseline = before.get(0).estimate(metric);
        RepeatEstimate ofCompared = after.get(0).estimate(metric);
        if (kind == Combination.POOLED) {
            ShareRatio ratio = new ShareRatio(ofBaseline, ofCompared);
            return new Sides(
                    Math.min(ofBaseline.repeats(), ofCompared.repeats()),
                    ratio.baseline() > 0 && ratio.compared() > 0
                            ? ratio
                            : RatioEstimate.none(ratio.baseline(), ratio.compared()),
                    ratio.difference());
        }
        CommonRepeats repeats =
                CommonRepeats.of(before.get(0).byRepeat(metric), after.get(0).byRepeat(metric));
        if (kind.isOfRunsAlone() && !(ofBaseline.hasAllValues() && ofCompared.hasAllValues())) {
            return new Sides(repeats.count(), RatioEstimate.none(Double.NaN, Double.NaN), Interval.ofRanks());
        }
        return switch (kind) {
            case SUM -> new Sides(repeats.count(), RatioEstimate.ofSums(repeats), repeats.differenceOfSums());
            case MIN -> ofExtremes(repeats, DoubleStream::min);
            case MAX -> ofExtremes(repeats, DoubleStream::max);
            default -> new Sides(repeats.count(), RatioEstimate.of(repeats), repeats.difference());
        };
    }

    private static Sides ofExtremes(CommonRepeats repeats, Function<DoubleStream, OptionalDouble> extreme) {
        double before = extreme.apply(Arrays.stream(repeats.baseline())).orElse(Double.NaN);
        double after = extreme.apply(Arrays.stream(repeats.compared())).orElse(Double.NaN);
        return new Sides(
                repeats.count(),
                repeats.isPositive()
                        ? RatioEstimate.ofExtremes(repeats, before, after)
                        : RatioEstimate.none(before, after),
                repeats.difference().around(after - before));
    }

    private static Sides ofSessions(double[] baseline, double[] compared) {
        return new Sides(
                baseline.length + compared.length,
                RatioEstimate.ofSessions(baseline, compared),
                MeanDifference.of(baseline, compared).interval());
    }

    private static Sides ofMedians(List<Map<Integer, Double>> baseline, List<Map<Integer, Double>> compared) {
        return new Sides(
                baseline.size() + compared.size(),
                RatioEstimate.ofSessions(medians(baseline, Interval::ofMedian), medians(compared, Interval::ofMedian)),
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

    private static List<PointSummary> deciding(List<PointSummary> sessions) {
        return sessions.stream().map(PointSummary::deciding).toList();
    }

    /** Returns the values of the repeats of each session that has one. */
    private static List<Map<Integer, Double>> byRepeat(Metric<?> metric, List<PointSummary> sessions) {
        return sessions.stream()
                .map(point -> point.byRepeat(metric))
                .filter(values -> !values.isEmpty())
                .toList();
    }

    /** Returns the repeats that all sessions have, of which sums and extremes are comparable. */
    private static Set<Integer> common(Stream<PointSummary> sessions) {
        return sessions.map(Sides::repeats)
                .reduce((some, others) -> {
                    some.retainAll(others);
                    return some;
                })
                .orElse(Set.of());
    }

    private static Set<Integer> repeats(PointSummary session) {
        Set<Integer> repeats = new HashSet<>();
        session.runs().forEach(run -> repeats.add(run.repeat()));
        return repeats;
    }

    /** Returns the value over the repeats of each session that has one. */
    private static double[] values(Metric<?> metric, List<PointSummary> sessions, Set<Integer> common) {
        boolean isPooled = metric.combination() == Combination.POOLED;
        return sessions.stream()
                .map(session -> isPooled ? session : session.with(common))
                .mapToDouble(session -> session.estimate(metric).interval().value())
                .filter(value -> !Double.isNaN(value))
                .toArray();
    }
}
