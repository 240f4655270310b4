package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.summary.Metric;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;

/**
 * The comparison of the points of a session with the same points of another, by the rules of {@link Comparisons}.
 *
 * @param margin the largest difference that is equivalent, as a share
 * @param all by point and metric, in the order of tables; metrics that neither point has are absent
 * @param onlyInBaseline points that only the baseline has
 * @param onlyInCompared points that only the compared session has
 */
public record SessionComparison(
        Summary baseline,
        Summary compared,
        double margin,
        List<Comparison> all,
        List<PointKey> onlyInBaseline,
        List<PointKey> onlyInCompared) {
    /** Compares the points that both sessions have. */
    public static SessionComparison of(Summary baseline, Summary compared, List<Metric> metrics, double margin) {
        Map<PointKey, PointSummary> baselines = new HashMap<>();
        baseline.points().forEach(point -> baselines.put(point.point(), point));
        List<Comparison> all = new ArrayList<>();
        List<PointKey> onlyInCompared = new ArrayList<>();
        for (PointSummary point : compared.points()) {
            PointSummary before = baselines.remove(point.point());
            if (before == null) {
                onlyInCompared.add(point.point());
                continue;
            }
            for (Metric metric : metrics) {
                Comparison comparison =
                        Comparisons.compare(point.point(), new Comparisons.Pair(before, point), metric, margin);
                if (comparison != null) {
                    all.add(comparison);
                }
            }
        }
        List<PointKey> onlyInBaseline = baselines.keySet().stream().sorted().toList();
        return new SessionComparison(baseline, compared, margin, all, onlyInBaseline, onlyInCompared);
    }
}
