package org.lagbench.analysis.summary;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.PooledRuns.OpenRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;

/**
 * The metrics of one run, or of several runs of one point pooled, by group. Pooled values form one series; no value
 * spans the end of a run.
 */
public final class Metrics {
    private final Map<MetricGroup<?>, Object> groups = new LinkedHashMap<>();

    /** The numbers of groups by their paths, computed when they are needed. */
    private final Map<String, Map<String, Double>> numbers = new ConcurrentHashMap<>();

    /**
     * Computes the metrics of one run or several.
     *
     * @param ofEach the metrics of each run if there are several; unused if there is one
     */
    static Metrics of(MeasuredPoint point, List<OpenRun> open, List<Metrics> ofEach, SummaryOptions options)
            throws LagbenchException {
        Metrics metrics = new Metrics();
        PooledRuns runs = new PooledRuns(point, open, ofEach, options, metrics);
        for (MetricGroup<?> group : MetricGroup.ALL) {
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
        numbers.clear();
        return this;
    }

    /** Returns the metrics of a group; null if they are unknown or were not requested. */
    @SuppressWarnings("unchecked") // with() accepts only the group's type
    public <T> @Nullable T get(MetricGroup<T> group) {
        return (T) groups.get(group);
    }

    /** Returns the metrics of a group that was requested and is never unknown. */
    public <T> T require(MetricGroup<T> group) {
        return Objects.requireNonNull(get(group), group.id());
    }

    /**
     * Returns the value of a metric in its unit; NaN if it was not measured, or is undefined for the traffic of the
     * runs.
     *
     * @param point the point of the runs
     */
    public double value(Metric metric, MeasuredPoint point) {
        if (!MetricMeaning.isDefined(metric.id(), point.traffic())) {
            return Double.NaN;
        }
        return metric.scaled(number(metric.path()));
    }

    /** Returns the same, and 0 if that means that there were none, unless the group of the metric is unknown. */
    double valueOrNone(Metric metric, MeasuredPoint point) {
        double value = value(metric, point);
        boolean isNone = Double.isNaN(value)
                && metric.isZeroIfAbsent()
                && MetricMeaning.isDefined(metric.id(), point.traffic())
                && MetricGroup.find(metric.group())
                        .filter(group -> !group.isOnRequest() || groups.get(group) != null)
                        .isPresent();
        return isNone ? 0 : value;
    }

    /** Returns the amount by which a metric is pooled; NaN if it is unknown, or the metric is not pooled. */
    double amount(Combination combination) {
        return combination.amount().stream()
                .mapToDouble(path -> path.startsWith("-") ? -number(path.substring(1)) : number(path))
                .reduce(Double::sum)
                .orElse(Double.NaN);
    }

    private double number(String path) {
        Double number =
                numbers.computeIfAbsent(Metric.groupOf(path), this::numbers).get(path);
        return number == null ? Double.NaN : number;
    }

    private Map<String, Double> numbers(String id) {
        Map<String, Double> byPath = new HashMap<>();
        if (id.equals(Metric.LOSS.path())) {
            PacketLoss back = lossBack();
            putShare(id, loss(), byPath);
            if (back != null) {
                putShare(id + ".forward", lossForward(), byPath);
                putShare(id + ".back", back, byPath);
            }
        }
        MetricGroup.find(id)
                .map(groups::get)
                .ifPresent(values -> ResultMapper.forEachValue(id, ResultMapper.tree(values), (path, value) -> {
                    if (value.isNumber()) {
                        byPath.put(path, value.doubleValue());
                    }
                }));
        return byPath;
    }

    /** Adds a share, unless no packet could be lost: that is no evidence of no loss. */
    private static void putShare(String path, PacketLoss loss, Map<String, Double> byPath) {
        if (loss.sent() > 0) {
            byPath.put(path, loss.share());
        }
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

    /** Returns the values of all groups by their names in files; null if unknown or not requested. */
    @JsonValue
    public Map<String, @Nullable Object> byId() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        MetricGroup.ALL.forEach(group -> members.put(group.id(), groups.get(group)));
        return Collections.unmodifiableMap(members);
    }
}
