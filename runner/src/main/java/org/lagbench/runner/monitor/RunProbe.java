package org.lagbench.runner.monitor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.experiment.Monitoring.ProbeSpec;
import org.lagbench.sender.ProbeSender;

/**
 * A short run, with a series for each of its metrics.
 *
 * @param probe what the run is of
 * @param directory parent of the directories of its runs
 * @param metrics in the order of the series; one or more
 */
record RunProbe(
        ProbeSender sender,
        RunSpec spec,
        ProbeSpec probe,
        Path directory,
        List<Metric<?>> metrics,
        List<SeriesInfo> series)
        implements Probe {
    private static final Transports TRANSPORTS = Transports.load();

    /**
     * Returns the probe with a run whose name begins those of its series.
     *
     * @param isOneClock whether one clock stamps both sides
     */
    static RunProbe of(
            ProbeSender sender,
            RunSpec spec,
            ProbeSpec probe,
            List<Metric<?>> metrics,
            boolean isOneClock,
            Path session,
            long everyNs) {
        List<SeriesInfo> series = metrics.stream()
                .map(metric -> Probe.series(spec.name() + ".", metric, isOneClock, everyNs, sender.receiver()))
                .toList();
        Path directory = session.resolve(probe.isKept() ? Session.RUNS : "probes");
        return new RunProbe(sender, spec, probe, directory, metrics, series);
    }

    /**
     * Returns the metrics of a run: those of a list that its traffic has, or those that stand for its traffic.
     *
     * @param ids the list; empty for those of the traffic
     */
    static List<Metric<?>> metrics(List<String> ids, RunSpec spec) throws LagbenchException {
        List<Metric<?>> metrics = new ArrayList<>();
        Traffic traffic = spec.point().traffic().kind();
        for (String id : new LinkedHashSet<>(ids)) {
            Metric<?> metric = MetricRegistry.named(id);
            if (MetricGroups.isOfPoints(metric) && MetricMeaning.isDefined(id, traffic.text())) {
                metrics.add(metric);
            }
        }
        return ids.isEmpty() ? defaults(spec, traffic) : metrics;
    }

    private static List<Metric<?>> defaults(RunSpec spec, Traffic traffic) {
        List<Metric<?>> metrics = new ArrayList<>();
        metrics.add(
                switch (traffic) {
                    case ROUND_TRIP -> MainMetrics.ROUND_TRIP;
                    case TRANSFER -> MainMetrics.THROUGHPUT;
                    case ONE_WAY -> MainMetrics.LAG;
                });
        if (traffic == Traffic.ONE_WAY || (traffic == Traffic.ROUND_TRIP && mayLose(spec))) {
            metrics.add(MainMetrics.LOSS);
        }
        if (traffic != Traffic.TRANSFER && spec.point().pace().mode() != Pace.Mode.FLOOD) {
            metrics.add(MainMetrics.SCHEDULE_KEPT);
        }
        return metrics;
    }

    /** Returns whether replies may be lost without an end of the connection. */
    private static boolean mayLose(RunSpec spec) {
        return TRANSPORTS
                .find(spec.point().transport())
                .map(transport -> !transport.wire().isStream())
                .orElse(true);
    }

    @Override
    public long packetBytes() {
        Point point = spec.point();
        TransferSpec transfer = point.traffic().transfer();
        long warmUp = point.warmUpPackets() * point.packetBytes();
        if (transfer != null) {
            return warmUp + transfer.bytes() * transfer.count();
        }
        long directions = point.traffic().kind() == Traffic.ROUND_TRIP ? 2 : 1;
        return directions * (warmUp + point.packets() * point.packetBytes());
    }

    @Override
    public List<Probe.Measured> measure(long atNs) throws LagbenchException {
        RunSpec run = probe.at(spec, atNs);
        Path files = directory.resolve(run.name());
        FileTree.delete(files); // files that a killed monitor has left
        try {
            RunRecord record = sender.execute(run, directory);
            Summary summary = Summaries.of(Session.open(files), new SummaryOptions(MetricGroups.needs(metrics)));
            if (summary.points().isEmpty()) {
                throw ExitCode.BROKEN.failure("The captures of " + record.name() + " are not usable: "
                        + summary.excluded().get(0).reason() + ".");
            }
            return metrics.stream()
                    .map(metric -> measured(metric, summary.points().get(0).value(metric), record.clock()))
                    .toList();
        } finally {
            if (!probe.isKept()) {
                FileTree.delete(files);
            }
        }
    }

    /**
     * Returns a value, or why there is none: a clock was stepped during the run, so that what was computed from stamps
     * is wrong, or the clocks differ by too much for a lag.
     */
    static Probe.Measured measured(Metric<?> metric, double value, RunRecord.@Nullable Clock clock) {
        boolean isOfStamps =
                switch (metric.type()) {
                    case TIME, RATE -> true;
                    case SHARE, COUNT, SIZE, NUMBER -> metric.needsCommonClock();
                };
        if (clock != null && isOfStamps && clock.wasStepped()) {
            return new Probe.Measured(Double.NaN, SeriesState.CLOCK_STEP);
        }
        return clock != null && clock.accepted() && metric.needsCommonClock()
                ? new Probe.Measured(Double.NaN, ExitCode.CLOCK.code())
                : Probe.Measured.of(value);
    }
}
