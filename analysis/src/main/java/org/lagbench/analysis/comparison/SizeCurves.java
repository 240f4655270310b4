package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;

/**
 * A metric over the packet size, with a curve for each value of an axis, at one point of the other axes.
 *
 * @param place one of the points; its packet size and its value of the axis have no meaning
 * @param metric the metric
 * @param curves in the order of tables; at least two
 */
public record SizeCurves(ComparisonAxis axis, MeasuredPoint place, Metric<?> metric, List<Curve> curves) {
    /**
     * The curve of one value of the axis, and of one set of its engine's settings.
     *
     * @param point a point of the curve
     * @param bySize the metric over the repeats, by packet size in bytes, ascending
     */
    public record Curve(MeasuredPoint point, Map<Integer, Interval> bySize) {}

    /**
     * Returns the curves of the main metrics of a summary.
     *
     * @param axisName the axis; null for every axis with several values but the packet size
     */
    public static List<SizeCurves> of(Summary summary, @Nullable String axisName) {
        List<MeasuredPoint> points =
                summary.points().stream().map(PointSummary::point).toList();
        List<SizeCurves> all = new ArrayList<>();
        for (ComparisonAxis axis : ComparisonAxis.all(points)) {
            boolean isWanted = axisName == null
                    || axis.name().equals(axisName)
                    || axis.name().endsWith("." + axisName);
            if (isWanted && !axis.name().equals(Axis.PACKET_BYTES)) {
                addOf(axis, summary, all);
            }
        }
        return all;
    }

    private static void addOf(ComparisonAxis axis, Summary summary, List<SizeCurves> all) {
        Map<Object, Map<String, List<PointSummary>>> places = new LinkedHashMap<>();
        for (PointSummary point : summary.points()) {
            String value = axis.value(point.point());
            if (value != null) {
                places.computeIfAbsent(axis.placeOfCurve(point.point()), place -> new LinkedHashMap<>())
                        .computeIfAbsent(value, name -> new ArrayList<>())
                        .add(point);
            }
        }
        for (Map<String, List<PointSummary>> place : places.values()) {
            for (Metric<?> metric : MetricRegistry.compared()) {
                if (metric.isMain()) {
                    List<Curve> curves = place.values().stream()
                            .flatMap(points -> bySettings(points).stream())
                            .map(points -> curve(points, metric))
                            .filter(curve -> curve.bySize().size() > 1)
                            .toList();
                    if (curves.size() > 1) {
                        all.add(new SizeCurves(axis, curves.get(0).point(), metric, curves));
                    }
                }
            }
        }
    }

    /** Separates points that differ in more than the packet size: in the settings of their engine. */
    private static Collection<List<PointSummary>> bySettings(List<PointSummary> points) {
        return points.stream()
                .collect(Collectors.groupingBy(
                        point -> point.point().without(Axis.PACKET_BYTES), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    /** Returns a curve; sizes without a positive value in every repeat are absent. */
    private static Curve curve(List<PointSummary> points, Metric<?> metric) {
        Map<Integer, Interval> bySize = new TreeMap<>();
        for (PointSummary point : points) {
            Map<Integer, Double> values = point.byRepeat(metric);
            if (!values.isEmpty() && values.values().stream().allMatch(value -> value > 0)) {
                bySize.put(point.point().packetBytes(), Interval.ofMedian(values.values()));
            }
        }
        return new Curve(points.get(0).point(), bySize);
    }
}
