package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.analysis.forecast.TimedSeries;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The studies of the values of an axis, each compared with the baseline's, as Krintz and Wolski compare C and Java
 * ("Using JavaNws to compare C and Java TCP-socket performance", 2000). There is one study per main metric.
 *
 * @param comparisons what is compared
 * @param all in the order of the comparisons; points without a ratio are absent
 */
public record Studies(Comparisons comparisons, List<Study> all) {
    /** How the forecasts are selected. */
    public static final Selection SELECTION = Selection.PAPER;

    /**
     * Studies the points of a summary.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} as {@link Comparisons#of}
     */
    public static Studies of(Summary summary, Between between) throws LagbenchException {
        Comparisons comparisons = Comparisons.of(summary, between);
        List<Study> all = new ArrayList<>();
        for (Comparison comparison : comparisons.all()) {
            if (comparison.metric().isMain() && !Double.isNaN(comparison.ratio().value())) {
                all.add(study(summary, comparisons.axis(), comparison));
            }
        }
        return new Studies(comparisons, all);
    }

    private static Study study(Summary summary, ComparisonAxis axis, Comparison comparison) {
        Map<Integer, Double> baseline =
                point(summary, comparison.baselinePoint()).byRepeat(comparison.metric());
        Map<Integer, Double> compared = point(summary, comparison.point()).byRepeat(comparison.metric());
        SortedSet<Integer> repeats = new TreeSet<>(baseline.keySet());
        repeats.addAll(compared.keySet());
        return new Study(
                comparison,
                Equivalence.of(
                        series(axis.value(comparison.baselinePoint()), repeats, baseline),
                        series(axis.value(comparison.point()), repeats, compared),
                        SELECTION));
    }

    private static PointSummary point(Summary summary, MeasuredPoint key) {
        return summary.points().stream()
                .filter(point -> point.point().equals(key))
                .findFirst()
                .orElseThrow()
                .deciding();
    }

    /** Returns the value of each repeat, NaN if it has none: values at the same index are of the same repeat. */
    private static TimedSeries series(@Nullable String name, SortedSet<Integer> repeats, Map<Integer, Double> values) {
        return new TimedSeries(
                String.valueOf(name),
                repeats.stream().mapToDouble(Integer::doubleValue).toArray(),
                repeats.stream()
                        .mapToDouble(repeat -> values.getOrDefault(repeat, Double.NaN))
                        .toArray());
    }

    /**
     * The study of two points that differ in one axis as series: the value of each repeat, in the order of execution.
     *
     * @param comparison of the medians
     * @param equivalence of the series, whose pairs are the repeats
     */
    public record Study(Comparison comparison, Equivalence equivalence) {
        /**
         * How far from 1 a slope may be: the "engineering tolerances (95%)" of Krintz and Wolski, who state no bound
         * for slopes.
         */
        public static final double SLOPE_TOLERANCE = .05;

        /** Returns whether the slope without outliers is near 1. */
        public boolean isSlopeNearOne() {
            return Math.abs(equivalence.regressionWithoutOutliers().slope() - 1) <= SLOPE_TOLERANCE;
        }
    }
}
