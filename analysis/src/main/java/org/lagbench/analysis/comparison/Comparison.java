package org.lagbench.analysis.comparison;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.Metric;

/**
 * The comparison of one metric of two points that differ in one axis.
 *
 * @param place what both points have in common; its value of the compared axis has no meaning
 * @param baselinePoint the point with which the other is compared
 * @param point the compared point
 * @param repeats number of repeats that both have. A repeat is the unit, because the packets of a run are correlated
 * @param baseline the baseline's value over these repeats, combined as the metric declares; a share is of all its
 *     packets; NaN if there is none
 * @param compared that of the compared point; NaN likewise
 * @param ratio of the compared value to the baseline's; of medians, the median of the ratios of repeats; NaN if a value
 *     is not positive: the verdict is then on the difference
 * @param difference in the metric's unit, compared minus baseline; of medians, the median of the differences of
 *     repeats; of several sessions, that of their means
 * @param included how many of the planned runs of both points were measured
 * @param nonEquivalence the p-value of the hypothesis that the ratio is outside of the margin; NaN if there is no
 *     interval
 * @param emptySides of which no packet arrived
 * @param doubt why the verdict is undecided; null if only because the interval is too wide, or for another verdict
 */
public record Comparison(
        MeasuredPoint place,
        MeasuredPoint baselinePoint,
        MeasuredPoint point,
        Metric<?> metric,
        int repeats,
        double baseline,
        double compared,
        Interval ratio,
        Interval difference,
        Included included,
        double nonEquivalence,
        Verdict verdict,
        Set<Side> emptySides,
        Verdict.@Nullable Doubt doubt) {
    /** One of the two points. */
    public enum Side implements TextEnum {
        BASELINE,
        COMPARED
    }
}
