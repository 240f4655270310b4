package org.lagbench.analysis.summary;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.PooledRuns.OpenRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;

/**
 * The metrics of one run, or of several runs of one point pooled, by group. Pooled values form one series; no value
 * spans the end of a run.
 */
public final class Metrics {
    private final Map<MetricGroup<?>, Object> groups = new LinkedHashMap<>();

    /** The values of metrics whose groups are not known. */
    private final Map<Metric<?>, Amount> known = new HashMap<>();

    /** A value in the unit of its metric, and the whole that a pooled one is of. */
    private record Amount(double value, double whole) {}

    /**
     * Computes the metrics of one run or several.
     *
     * @param ofEach the metrics of each run if there are several; unused if there is one
     */
    static Metrics of(MeasuredPoint point, List<OpenRun> open, List<Metrics> ofEach, SummaryOptions options)
            throws LagbenchException {
        Metrics metrics = new Metrics();
        PooledRuns runs = new PooledRuns(point, open, ofEach, options, metrics);
        for (MetricGroup<?> group : MetricGroups.ALL) {
            if (!group.isOnRequest() || options.includes(group)) {
                metrics.compute(group, runs);
            }
        }
        return metrics;
    }

    private <T> void compute(MetricGroup<T> group, PooledRuns runs) throws LagbenchException {
        with(group, group.compute(runs));
    }

    /** Sets the metrics of a group, null if they are unknown, and returns this. */
    public <T> Metrics with(MetricGroup<T> group, @Nullable T values) {
        groups.put(group, values);
        return this;
    }

    /** Returns these metrics and those of another group. */
    <T> Metrics plus(MetricGroup<T> group, T values) {
        Metrics all = new Metrics();
        all.groups.putAll(groups);
        all.known.putAll(known);
        return all.with(group, values);
    }

    /** Sets a metric without its group, and returns this. */
    public Metrics with(Metric<?> metric, double value, double whole) {
        known.put(metric, new Amount(value, whole));
        return this;
    }

    /** Returns the metrics of a group; null if they are unknown or were not requested. */
    @SuppressWarnings("unchecked") // with() accepts only the group's type
    public <T> @Nullable T get(MetricGroup<T> group) {
        return (T) groups.get(group);
    }

    /** Returns the metrics of a group that was requested and is never unknown. */
    public <T> T require(MetricGroup<T> group) {
        return Objects.requireNonNull(get(group), group.name());
    }

    /**
     * Returns the value of a metric in its unit; NaN if it was not measured, or is undefined for the traffic of the
     * runs.
     *
     * @param point the point of the runs
     */
    public double value(Metric<?> metric, MeasuredPoint point) {
        if (!MetricMeaning.isDefined(metric.id(), point.traffic())) {
            return Double.NaN;
        }
        Amount amount = known.get(metric);
        return amount == null ? read(metric, Metric::value) : amount.value;
    }

    /** Returns the same, and 0 if that means that there were none, unless the group of the metric is unknown. */
    double valueOrNone(Metric<?> metric, MeasuredPoint point) {
        double value = value(metric, point);
        boolean isNone = Double.isNaN(value)
                && metric.isZeroIfAbsent()
                && MetricMeaning.isDefined(metric.id(), point.traffic())
                && MetricGroups.find(metric)
                        .filter(group -> !group.isOnRequest() || groups.get(group) != null)
                        .isPresent();
        return isNone ? 0 : value;
    }

    /** Returns the whole that a pooled metric is of; NaN if it is unknown, or the metric is not pooled. */
    double whole(Metric<?> metric) {
        Amount amount = known.get(metric);
        return amount == null ? read(metric, Metric::whole) : amount.whole;
    }

    /** Visits all metrics that have a value, those of families by their names, in the order of groups. */
    public void forEach(MeasuredPoint point, ObjDoubleConsumer<Metric<?>> visitor) {
        forEach(point, group -> true, visitor);
    }

    /** Visits those of some groups. */
    public void forEach(MeasuredPoint point, Predicate<MetricGroup<?>> groups, ObjDoubleConsumer<Metric<?>> visitor) {
        MetricGroups.ALL.stream()
                .filter(groups)
                .forEach(group -> forEach(group, (metric, value) -> {
                    if (MetricMeaning.isDefined(metric.id(), point.traffic())) {
                        visitor.accept(metric, value);
                    }
                }));
    }

    private <T> void forEach(MetricGroup<T> group, ObjDoubleConsumer<Metric<?>> visitor) {
        T values = values(group);
        if (values != null) {
            group.metrics().forEach(metric -> metric.forEach(values, visitor::accept));
        }
    }

    /** Reads the values of a metric's group. */
    private interface Reading {
        <T> double of(Metric<T> metric, T values);
    }

    @SuppressWarnings("unchecked") // a metric is of its group's type
    private <T> double read(Metric<T> metric, Reading reading) {
        T values = (T) MetricGroups.find(metric).map(this::values).orElse(null);
        return values == null ? Double.NaN : reading.of(metric, values);
    }

    @SuppressWarnings("unchecked") // the group of losses has losses
    private <T> @Nullable T values(MetricGroup<T> group) {
        return group == MetricGroup.LOSS ? (T) Losses.of(this) : get(group);
    }

    public RunPacketCounts packets() {
        return require(MetricGroup.PACKETS);
    }

    /**
     * Returns the packets that were lost in the sense of the traffic: those without a reply in time if packets are
     * answered, otherwise those of which no copy arrived.
     */
    public PacketLoss loss() {
        RoundTrips trips = get(MetricGroup.ROUND_TRIPS);
        return trips == null
                ? lossForward()
                : new PacketLoss(trips.lost() + trips.late(), packets().sent());
    }

    /** Returns the packets of which no copy arrived at the receiver. */
    public PacketLoss lossForward() {
        return new PacketLoss(packets().lost(), packets().sent());
    }

    /**
     * Returns the packets that arrived at the receiver but whose reply did not come back; null if none was expected.
     */
    public @Nullable PacketLoss lossBack() {
        RoundTrips trips = get(MetricGroup.ROUND_TRIPS);
        long lost = packets().lost();
        return trips == null
                ? null
                : new PacketLoss(Math.max(0, trips.lost() - lost), packets().sent() - lost);
    }

    public ClockEffect clock() {
        return require(MetricGroup.CLOCK);
    }

    /** Returns the statistics of each series, in the order of {@link PacketDelay}. */
    public Map<PacketDelay, SeriesStatistics> series() {
        return require(MetricGroup.SERIES);
    }
}
