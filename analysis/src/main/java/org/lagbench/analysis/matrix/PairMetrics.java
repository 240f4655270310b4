package org.lagbench.analysis.matrix;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.comparison.SeriesRequirements;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
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
 * @param lagNs the median lag in ns, with an interval by blocks of the run; null if it was not measured
 * @param lags the statistics of the lags; null if they were not measured
 * @param measuredAt when the last complete run ended; null if there is none
 * @param clock the effect of the clocks on the lag; null if it was not measured
 * @param loss the share of one-way packets that did not arrive, with an interval by blocks of the run if it lost some;
 *     null if it was not measured
 * @param roundTripNs the median round trip in ns; null if it was not measured
 * @param probes the TCP transfers by size
 * @param path the estimate of the path for TCP; empty if no probe filled the path
 */
public record PairMetrics(
        @Nullable Interval lagNs,
        @Nullable SeriesStatistics lags,
        @Nullable Instant measuredAt,
        @Nullable ClockEffect clock,
        @Nullable Interval loss,
        @Nullable Interval roundTripNs,
        List<Probe> probes,
        Optional<PathEstimate> path) {
    /** The rate of TCP, or of the path if the transfers show it. */
    public static final Metric<PairMetrics> RATE =
            Metric.rate("rate", "Rate of TCP", "Mean", Combination.MEDIAN, metrics -> {
                Interval rate = metrics.rate();
                return rate == null ? null : (Double) rate.value();
            });

    private static final SummaryOptions OPTIONS = new SummaryOptions(Set.of());

    /** Returns the rate in bit/s; null if there was no transfer. */
    public @Nullable Interval rate() {
        Probe last = lastProbe();
        return path.map(PathEstimate::rate)
                .orElseGet(
                        () -> last == null ? null : new Interval(last.verdict().bitsPerS(), Double.NaN, Double.NaN));
    }

    /** Computes the metrics of the complete runs in the session directory of a pair. */
    public static PairMetrics read(Path session) throws LagbenchException {
        return of(Session.open(session));
    }

    /** Computes the metrics of the complete runs in the session of a pair. */
    public static PairMetrics of(Session runs) throws LagbenchException {
        Interval lag = null;
        SeriesStatistics lags = null;
        Instant measuredAt = null;
        ClockEffect clock = null;
        Interval loss = null;
        Interval roundTrip = null;
        List<Probe> probes = new ArrayList<>();
        for (RunDirectory run : runs.runs()) {
            RunRecord record = run.record();
            if (record == null || record.state() != RunRecord.State.COMPLETE) {
                continue;
            }
            Instant endedAt = record.endedAt();
            measuredAt = measuredAt == null || (endedAt != null && endedAt.isAfter(measuredAt)) ? endedAt : measuredAt;
            if (record.point().traffic().kind().text().equals(Traffic.TRANSFER.text())) {
                probes.addAll(TransferMetrics.probes(run.path(), record));
            } else if (record.point().traffic().kind().text().equals(Traffic.ROUND_TRIP.text())) {
                try (JoinedRun replies = JoinedRun.openReplies(run.path(), record)) {
                    roundTrip = median(replies);
                }
            } else {
                try (JoinedRun packets = run.open()) {
                    lag = median(packets);
                    loss = SeriesRequirements.lossOfRun(lost(packets));
                }
            }
        }
        for (PointSummary point : Summaries.of(runs, OPTIONS).points()) {
            Metrics metrics = point.pooled();
            if (!point.point().isRoundTrip() && point.point().transfer() == null) {
                clock = metrics.clock();
                lags = metrics.series().get(PacketDelay.TRANSMIT_LAG);
            }
        }
        probes.sort(Comparator.comparingLong(Probe::bytes));
        return new PairMetrics(lag, lags, measuredAt, clock, loss, roundTrip, probes, PathEstimate.of(probes));
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

    /**
     * Returns the median of the lags, with the interval of a series, because lags follow each other; null if no packet
     * arrived.
     */
    private static @Nullable Interval median(JoinedRun run) throws LagbenchException {
        DoubleStream.Builder lagsNs = DoubleStream.builder();
        PacketDelay.TRANSMIT_LAG.forEach(run, lagNs -> lagsNs.add((double) lagNs));
        double[] values = lagsNs.build().toArray();
        return values.length == 0 ? null : SeriesRequirements.median(values);
    }
}
