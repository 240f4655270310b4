package org.lagbench.runner.monitor;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.summary.Metric;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.series.Domain;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.series.SeriesState;
import org.lagbench.core.text.Units;
import org.lagbench.sender.ProbeSender;

/**
 * A short run. Its values are the median round trip, the median throughput of transfers, or the median lag and the loss
 * of one-way packets.
 */
final class RunProbe implements Probe {
    private static final SummaryOptions OPTIONS =
            new SummaryOptions(false, false, Tail.DEFAULT, Set.of(MetricGroup.TRANSFERS));
    private static final long NS_PER_S = 1_000_000_000;

    private final ProbeSender sender;
    private final RunSpec spec;
    private final Path directory;
    private final boolean isKept;
    private final List<SeriesInfo> series;

    /**
     * Creates a probe.
     *
     * @param name of its series
     * @param directory parent of the directories of its runs
     * @param isKept whether these are kept
     */
    RunProbe(ProbeSender sender, RunSpec spec, String name, Path directory, boolean isKept, long everyNs) {
        this.sender = sender;
        this.spec = spec;
        this.directory = directory;
        this.isKept = isKept;
        this.series = switch (spec.point().traffic().kind()) {
            case ROUND_TRIP -> List.of(new SeriesInfo(name, name + ": round trip", "ms", everyNs, Domain.NOT_NEGATIVE));
            case TRANSFER -> List.of(new SeriesInfo(name, name + ": throughput", "Mb/s", everyNs, Domain.NOT_NEGATIVE));
            case ONE_WAY ->
                List.of(
                        new SeriesInfo(name + ".lag", name + ": lag", "ms", everyNs, Domain.ANY),
                        new SeriesInfo(name + ".loss", name + ": loss", "%", everyNs, Domain.PERCENT));
        };
    }

    @Override
    public List<SeriesInfo> series() {
        return series;
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
        RunSpec run = spec.named(series.get(0).name() + (isKept ? "-" + atNs / NS_PER_S : ""));
        Path files = directory.resolve(run.name());
        FileTree.delete(files); // files that a killed monitor has left
        try {
            RunRecord record = sender.make(run, directory);
            return values(record, files);
        } finally {
            if (!isKept) {
                FileTree.delete(files);
            }
        }
    }

    private List<Probe.Measured> values(RunRecord record, Path files) throws LagbenchException {
        Summary summary = Summaries.of(Session.open(files), OPTIONS);
        if (summary.points().isEmpty()) {
            throw ExitCode.BROKEN.failure("The captures of " + record.name() + " are not usable: "
                    + summary.excluded().get(0).reason() + ".");
        }
        return withoutStepped(
                values(record, summary.points().get(0)),
                record.clock(),
                spec.point().traffic().kind());
    }

    /**
     * Replaces the lag or round-trip time with a missing value if a clock that stamps it was stepped during the run.
     */
    static List<Probe.Measured> withoutStepped(
            List<Probe.Measured> values, RunRecord.@Nullable Clock clock, Traffic traffic) {
        boolean isOneWay = traffic == Traffic.ONE_WAY;
        if (clock == null
                || (clock.sender().steps().isEmpty()
                        && (!isOneWay || clock.receiver().steps().isEmpty()))) {
            return values;
        }
        Probe.Measured none = new Probe.Measured(Double.NaN, SeriesState.CLOCK_STEP);
        return isOneWay ? List.of(none, values.get(1)) : List.of(none);
    }

    private List<Probe.Measured> values(RunRecord record, PointSummary point) {
        boolean isClockUnknown = record.clock() != null && record.clock().accepted();
        return switch (spec.point().traffic().kind()) {
            case ROUND_TRIP -> List.of(value(point, Metric.ROUND_TRIP, Units.US_PER_MS));
            case TRANSFER -> List.of(value(point, Metric.THROUGHPUT, 1));
            case ONE_WAY ->
                List.of(
                        isClockUnknown
                                ? new Probe.Measured(Double.NaN, ExitCode.CLOCK.code())
                                : value(point, Metric.LAG, Units.US_PER_MS),
                        value(point, Metric.LOSS, 1));
        };
    }

    private static Probe.Measured value(PointSummary point, Metric metric, double divisor) {
        return Probe.Measured.of(metric.value(point.point(), point.pooled()) / divisor);
    }
}
