package org.lagbench.analysis.comparison;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.Metric;
import org.lagbench.analysis.summary.PointSummary;

/** The values of a metric by repeat. */
final class RepeatValues {
    private RepeatValues() {}

    /**
     * Returns the value of each repeat that has one, in the order of execution; the mean if a repeat has several runs.
     */
    static Map<Integer, Double> of(PointSummary point, Metric metric) {
        Map<Integer, Double> values = point.runs().stream()
                .collect(Collectors.groupingBy(
                        run -> run.repeat(),
                        TreeMap::new,
                        Collectors.averagingDouble(run -> metric.value(point.point(), run.metrics()))));
        values.values().removeIf(value -> Double.isNaN(value));
        return values;
    }

    static double[] array(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
