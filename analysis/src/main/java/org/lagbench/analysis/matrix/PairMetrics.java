package org.lagbench.analysis.matrix;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.comparison.SeriesRequirements;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.text.Units;

/**
 * The metrics of the path from one site to another.
 *
 * @param values the requested metrics that have a value, in their units. The medians of lags and round trips, and a
 *     loss, have an interval by blocks of their run
 * @param undecided the metrics of runs that the machine spoiled: they are shown, and no verdict uses them
 * @param spoiledBy why runs are spoiled
 * @param runs the number of complete runs
 * @param measuredAt when the last complete run ended; null if there is none
 * @param clock the effect of the clocks on the lag; null if it was not measured
 * @param probes the TCP transfers by size
 * @param path the estimate of the path for TCP; empty if no probe filled the path
 */
public record PairMetrics(
        Map<Metric<?>, Interval> values,
        Set<Metric<?>> undecided,
        List<RunMark> spoiledBy,
        int runs,
        @Nullable Instant measuredAt,
        @Nullable ClockEffect clock,
        List<Probe> probes,
        Optional<PathEstimate> path) {
    /** The rate of TCP, or of the path if the transfers show it. */
    public static final Metric<PairMetrics> RATE =
            Metric.rate("rate", "Rate of TCP", "Mean", Combination.MEDIAN, metrics -> {
                Interval rate = metrics.rate();
                return rate == null ? null : (Double) rate.value();
            });

    private static final List<String> KINDS =
            Stream.of(Traffic.values()).map(Traffic::text).toList();

    public PairMetrics {
        values = Map.copyOf(values);
        undecided = Set.copyOf(undecided);
    }

    /** Returns the rate in bit/s; null if there was no transfer. */
    private @Nullable Interval rate() {
        Probe last = lastProbe();
        return path.map(PathEstimate::rate)
                .orElseGet(
                        () -> last == null ? null : new Interval(last.verdict().bitsPerS(), Double.NaN, Double.NaN));
    }

    /**
     * Computes the metrics of the complete runs in the session of a pair.
     *
     * @param metrics the requested ones. A metric that several kinds of traffic have is that of the one-way packets,
     *     then of the round trips, then of the largest transfer
     */
    public static PairMetrics of(Session runs, Collection<Metric<?>> metrics) throws LagbenchException {
        List<PointSummary> points =
                Summaries.of(runs, new SummaryOptions(MetricGroups.needs(metrics))).points().stream()
                        .sorted(Comparator.comparing((PointSummary point) ->
                                        KINDS.indexOf(point.point().traffic()))
                                .thenComparing(point -> -point.point().transferBytes()))
                        .toList();
        List<RunSummary> complete =
                points.stream().flatMap(point -> point.runs().stream()).toList();
        Map<Metric<?>, Interval> values = new HashMap<>();
        Instant measuredAt = null;
        List<Probe> probes = new ArrayList<>();
        for (RunDirectory run : runs.runs()) {
            RunRecord record = run.record();
            if (record == null || record.state() != RunRecord.State.COMPLETE) {
                continue;
            }
            Instant endedAt = record.endedAt();
            measuredAt = measuredAt == null || (endedAt != null && endedAt.isAfter(measuredAt)) ? endedAt : measuredAt;
            switch (record.point().traffic().kind()) {
                case TRANSFER -> probes.addAll(TransferMetrics.probes(run.path(), record));
                case ROUND_TRIP -> {
                    try (JoinedRun replies = JoinedRun.openReplies(run.path(), record)) {
                        putMedian(values, MainMetrics.ROUND_TRIP, replies);
                    }
                }
                case ONE_WAY -> {
                    try (JoinedRun packets = run.open()) {
                        putMedian(values, MainMetrics.LAG, packets);
                        put(values, MainMetrics.LOSS, SeriesRequirements.lossOfRun(lost(packets)));
                    }
                }
            }
        }
        probes.sort(Comparator.comparingLong(Probe::bytes));
        Set<Metric<?>> undecided = new HashSet<>();
        for (Metric<?> metric : metrics) {
            points.stream().filter(point -> has(point, metric)).findFirst().ifPresent(point -> {
                boolean isDecided = has(point.deciding(), metric);
                PointSummary shown = isDecided ? point.deciding() : point;
                values.putIfAbsent(metric, shown.estimate(metric).interval());
                undecided.addAll(isDecided ? Set.of() : Set.of(metric));
            });
        }
        PairMetrics pair = new PairMetrics(
                Map.of(),
                undecided,
                complete.stream().flatMap(run -> run.spoiledBy().stream()).toList(),
                complete.size(),
                measuredAt,
                clock(points),
                probes,
                PathEstimate.of(probes));
        Interval rate = pair.rate();
        if (rate != null) {
            put(values, RATE, rate);
            points.stream()
                    .filter(point -> point.point().transfer() != null)
                    .limit(1) // the largest transfers show the rate
                    .filter(largest -> largest.deciding().runs().isEmpty())
                    .forEach(spoiled -> undecided.add(RATE));
        }
        values.keySet().retainAll(metrics);
        return new PairMetrics(values, undecided, pair.spoiledBy, pair.runs, measuredAt, pair.clock, probes, pair.path);
    }

    private static boolean has(PointSummary point, Metric<?> metric) {
        return !Double.isNaN(point.estimate(metric).interval().value());
    }

    private static @Nullable ClockEffect clock(List<PointSummary> points) {
        return points.stream()
                .filter(point -> !point.point().isRoundTrip() && point.point().transfer() == null)
                .map(point -> point.pooled().clock())
                .findFirst()
                .orElse(null);
    }

    /** Adds an interval that a getter would read. */
    private static void put(Map<Metric<?>, Interval> values, Metric<?> metric, Interval interval) {
        values.put(metric, interval.times(metric.scaled(1)));
    }

    /** Returns the largest probe; null if there is none. */
    public @Nullable Probe lastProbe() {
        return probes.isEmpty() ? null : probes.get(probes.size() - 1);
    }

    /** Returns 100 for each lost packet of a run, and 0 for the others, in the order of sending. */
    private static double[] lost(JoinedRun run) throws LagbenchException {
        BitSet arrived = run.arrivedPackets();
        return IntStream.range(0, Math.toIntExact(run.sent()))
                .mapToDouble(packet -> arrived.get(packet) ? 0 : Units.PERCENT)
                .toArray();
    }

    /** Adds the median of the lags, with the interval of a series, because lags follow each other. */
    private static void putMedian(Map<Metric<?>, Interval> values, Metric<?> metric, JoinedRun run)
            throws LagbenchException {
        DoubleStream.Builder lagsNs = DoubleStream.builder();
        PacketDelay.TRANSMIT_LAG.forEach(run, lagNs -> lagsNs.add((double) lagNs));
        double[] all = lagsNs.build().toArray();
        if (all.length > 0) {
            put(values, metric, SeriesRequirements.median(all));
        }
    }
}
