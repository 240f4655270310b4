package org.lagbench.analysis.comparison;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Metric;
import org.lagbench.analysis.summary.PointKey;

/**
 * The comparison of one metric of two points that differ in one axis.
 *
 * @param place what both points have in common; its value of the compared axis has no meaning
 * @param baselinePoint the point with which the other is compared
 * @param point the compared point
 * @param baseline the metric over the repeats of the baseline that the compared point has too
 * @param compared the metric over the same repeats of the compared point
 * @param ratio the ratio of the compared metric to the baseline's, repeat by repeat
 * @param nonEquivalence the p-value of the hypothesis that the ratio is outside of the margin; NaN if there is no
 *     interval
 * @param doubt why the verdict is undecided; null if only because the interval is too wide, or for another verdict
 */
public record Comparison(
        PointKey place,
        PointKey baselinePoint,
        PointKey point,
        Metric metric,
        GeometricMean baseline,
        GeometricMean compared,
        GeometricMean ratio,
        double nonEquivalence,
        Verdict verdict,
        Verdict.@Nullable Doubt doubt) {}
