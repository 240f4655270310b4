package org.lagbench.analysis.comparison;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import org.apache.commons.math3.stat.StatUtils;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.RepeatDependence;

/**
 * The values of a metric in the repeats that two sides have in common.
 *
 * @param baseline in the order of time
 * @param compared in the same repeats
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CommonRepeats(double[] baseline, double[] compared) {
    static CommonRepeats of(Map<Integer, Double> baseline, Map<Integer, Double> compared) {
        Map<Integer, Double> common = new TreeMap<>(baseline);
        common.keySet().retainAll(compared.keySet());
        return new CommonRepeats(
                common.values().stream().mapToDouble(value -> value).toArray(),
                common.keySet().stream()
                        .mapToDouble(repeat -> compared.getOrDefault(repeat, Double.NaN))
                        .toArray());
    }

    int count() {
        return baseline.length;
    }

    /** Returns the ratio of each repeat, compared to baseline. */
    double[] ratios() {
        return pairwise((before, after) -> after / before);
    }

    /**
     * Returns the median of the differences, compared minus baseline, with the interval of the ratios' median: by order
     * statistics, widened by the dependence of the repeats. Unlike a ratio, a difference needs no positive values.
     */
    Interval difference() {
        double[] differences = pairwise((before, after) -> after - before);
        return Interval.ofSignedMedian(RepeatDependence.of(differences).stretch(differences));
    }

    /** Returns the difference of the sums, compared minus baseline, with an interval by the differences of repeats. */
    Interval differenceOfSums() {
        double[] differences = pairwise((before, after) -> after - before);
        return MeanDifference.ofSum(StatUtils.sum(differences), differences).interval();
    }

    /** Returns whether both sides have values, and all are above 0. */
    boolean isPositive() {
        return RatioEstimate.isPositive(baseline) && RatioEstimate.isPositive(compared);
    }

    double[] pairwise(DoubleBinaryOperator operator) {
        double[] results = new double[baseline.length];
        Arrays.setAll(results, i -> operator.applyAsDouble(baseline[i], compared[i]));
        return results;
    }
}
