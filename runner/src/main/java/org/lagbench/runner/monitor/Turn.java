package org.lagbench.runner.monitor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.text.Units;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesInfo.Domain;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.Monitoring;
import org.lagbench.sender.ProbeSender;

/**
 * Probes that follow each other, such as one for each engine. A round has for each receiver a turn for each probe, and
 * one for the load of its host.
 */
public record Turn(List<Probe> probes) {
    public Turn {
        probes = List.copyOf(probes);
    }

    /**
     * How to reach the receivers.
     *
     * @param key the shared key; null for none
     * @param dataHost their address for packets; null if it is that of the control connection
     * @param local this host's end of the packets
     * @param isInLab whether this host and they are emulated on one machine
     */
    public record Access(
            @Nullable SharedKey key,
            @Nullable String dataHost,
            LocalEnd local,
            boolean isInLab,
            ShutdownCoordinator shutdown) {
        /** Returns whether one clock stamps both sides: control connection and packets stay on this machine. */
        boolean hasOneClock(Endpoint receiver) {
            return isInLab || (dataHost == null && receiver.isLoopback());
        }
    }

    /**
     * Returns the turns of an experiment.
     *
     * @param session the session directory
     * @param receivers in the order of their turns
     * @param access how to reach them
     * @throws LagbenchException if the name of a series is too long for the names of its runs, or not unique
     */
    public static List<Turn> of(
            Experiment experiment, Monitoring monitoring, Path session, List<Endpoint> receivers, Access access)
            throws LagbenchException {
        List<Turn> turns = new ArrayList<>();
        for (Endpoint receiver : receivers) {
            ProbeSender target = new ProbeSender(
                    receiver,
                    access.key(),
                    access.dataHost(),
                    access.local(),
                    experiment.path().clock(),
                    access.shutdown());
            String name = receiver.toString().replaceAll("[^A-Za-z0-9.]+", "-").replaceFirst("^-", "");
            String prefix = receivers.size() == 1 ? "" : name + ".";
            for (Monitoring.ProbeSpec spec : monitoring.probesOf(experiment)) {
                try {
                    turns.add(new Turn(spec.runs(prefix).stream()
                            .<Probe>map(run -> RunProbe.of(
                                    target,
                                    run,
                                    spec.isKept(),
                                    access.hasOneClock(receiver),
                                    session,
                                    monitoring.everyNs()))
                            .toList()));
                } catch (IllegalArgumentException e) {
                    throw ExitCode.USAGE.failure(
                            "A name of a series of the probe " + spec.name() + " is too long; give it a shorter name.",
                            e);
                }
            }
            turns.add(new Turn(List.of(new LoadProbe(target, prefix, monitoring.everyNs()))));
        }
        refuseEqualNames(series(turns));
        return turns;
    }

    private static void refuseEqualNames(List<SeriesInfo> series) throws LagbenchException {
        Set<String> names = new HashSet<>();
        for (SeriesInfo one : series) {
            if (!names.add(one.name())) {
                throw ExitCode.USAGE.failure("Two series of this monitor are named " + one.name()
                        + ". Name a probe for each of their points, or leave out one of two equal targets.");
            }
        }
    }

    public static List<SeriesInfo> series(List<Turn> turns) {
        return turns.stream()
                .flatMap(turn -> turn.probes().stream())
                .flatMap(probe -> probe.series().stream())
                .toList();
    }

    /** How busy the CPUs of the receiver's host were since the previous probe. */
    private static final class LoadProbe implements Probe {
        private final ProbeSender sender;
        private final List<SeriesInfo> series;
        private @Nullable HostLoad last;
        private long lastNs;

        /** @param prefix of the names of the series */
        LoadProbe(ProbeSender sender, String prefix, long everyNs) {
            this.sender = sender;
            this.series = List.of(
                    new SeriesInfo(
                            prefix + "host.cpu-load",
                            prefix + "CPU load of the receiver's host",
                            "%",
                            everyNs,
                            Domain.PERCENT,
                            sender.receiver().host()),
                    new SeriesInfo(
                            prefix + "host.run-queue",
                            prefix + "time with a task waiting for a CPU on the receiver's host",
                            "%",
                            everyNs,
                            Domain.PERCENT,
                            sender.receiver().host()));
        }

        @Override
        public List<SeriesInfo> series() {
            return series;
        }

        @Override
        public List<Probe.Measured> measure(long atNs) throws LagbenchException {
            HostLoad before = last;
            long beforeNs = lastNs;
            last = null;
            HostLoad now = sender.load();
            long nowNs = System.nanoTime();
            last = now;
            lastNs = nowNs;
            return before == null
                    ? List.of(Probe.Measured.of(Double.NaN), Probe.Measured.of(Double.NaN))
                    : List.of(
                            Probe.Measured.of(Units.PERCENT * now.busySince(before)),
                            Probe.Measured.of(Units.PERCENT * now.waitSince(before, nowNs - beforeNs)));
        }
    }

    /**
     * A short run. Its first value is the median round trip, lag or throughput of transfers. The loss follows if
     * packets may be lost, and the share of the schedule that was kept if the packets have one.
     *
     * @param directory parent of the directories of its runs
     * @param isKept whether these are kept
     * @param isOneClock whether one clock stamps both sides
     */
    record RunProbe(
            ProbeSender sender,
            RunSpec spec,
            Path directory,
            boolean isKept,
            boolean isOneClock,
            List<SeriesInfo> series)
            implements Probe {
        private static final SummaryOptions OPTIONS = new SummaryOptions(Set.of(MetricGroup.TRANSFERS));
        private static final long NS_PER_S = 1_000_000_000;
        private static final Transports TRANSPORTS = Transports.load();

        /**
         * What a run measures.
         *
         * @param suffix what follows the name of the probe in that of the series
         */
        private record Value(
                String suffix, String title, Metric<?> metric, String unit, double divisor, Domain domain) {
            private static final Value ROUND_TRIP =
                    new Value("", "round trip", MainMetrics.ROUND_TRIP, "ms", Units.US_PER_MS, Domain.NOT_NEGATIVE);
            private static final Value THROUGHPUT =
                    new Value("", "throughput", MainMetrics.THROUGHPUT, "Mbit/s", 1, Domain.NOT_NEGATIVE);
            private static final Value LAG =
                    new Value(".lag", "lag", MainMetrics.LAG, "ms", Units.US_PER_MS, Domain.ANY);
            private static final Value LAG_BY_ONE_CLOCK =
                    new Value(".lag", "lag", MainMetrics.LAG, "ms", Units.US_PER_MS, Domain.NOT_NEGATIVE);
            private static final Value LOSS = ofShare("loss", MainMetrics.LOSS);
            private static final Value SCHEDULE_KEPT = ofShare("kept schedule", MainMetrics.SCHEDULE_KEPT);

            private static Value ofShare(String title, Metric<?> metric) {
                return new Value("." + metric.id(), title, metric, Metric.PERCENT, 1, Domain.PERCENT);
            }

            /** Returns the values of a run; the first depends on its clocks. */
            static List<Value> of(RunSpec spec, boolean isOneClock) {
                Traffic traffic = spec.point().traffic().kind();
                List<Value> values = new ArrayList<>();
                values.add(
                        switch (traffic) {
                            case ROUND_TRIP -> ROUND_TRIP;
                            case TRANSFER -> THROUGHPUT;
                            case ONE_WAY -> isOneClock ? LAG_BY_ONE_CLOCK : LAG;
                        });
                if (traffic == Traffic.ONE_WAY || (traffic == Traffic.ROUND_TRIP && mayLose(spec))) {
                    values.add(LOSS);
                }
                if (traffic != Traffic.TRANSFER && spec.point().pace().mode() != Pace.Mode.FLOOD) {
                    values.add(SCHEDULE_KEPT);
                }
                return values;
            }

            Probe.Measured in(PointSummary point) {
                return Probe.Measured.of(point.value(metric) / divisor);
            }
        }

        /** Returns the probe with a run that is named as its series; throws IllegalArgumentException if too long. */
        static RunProbe of(
                ProbeSender sender, RunSpec spec, boolean isKept, boolean isOneClock, Path session, long everyNs) {
            Path directory = session.resolve(isKept ? Session.RUNS : "probes");
            String target = sender.receiver().host();
            RunProbe probe = new RunProbe(
                    sender, spec, directory, isKept, isOneClock, series(spec, isOneClock, everyNs, target));
            probe.run(RealtimeClock.nowNs());
            return probe;
        }

        /** Returns the series of probes with a run, which have its name. */
        private static List<SeriesInfo> series(RunSpec spec, boolean isOneClock, long everyNs, String target) {
            String name = spec.name();
            return Value.of(spec, isOneClock).stream()
                    .map(value -> new SeriesInfo(
                            name + value.suffix, name + ": " + value.title, value.unit, everyNs, value.domain, target))
                    .toList();
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
            RunSpec run = run(atNs);
            Path files = directory.resolve(run.name());
            FileTree.delete(files); // files that a killed monitor has left
            try {
                RunRecord record = sender.execute(run, directory);
                return values(record, files);
            } finally {
                if (!isKept) {
                    FileTree.delete(files);
                }
            }
        }

        /** Returns the run of a time; throws IllegalArgumentException if its name is too long. */
        private RunSpec run(long atNs) {
            return spec.named(series.get(0).name() + (isKept ? "-" + atNs / NS_PER_S : ""));
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
         * Replaces the lag or round-trip time with a missing value if a clock that stamps it was stepped during the
         * run.
         */
        static List<Probe.Measured> withoutStepped(
                List<Probe.Measured> values, RunRecord.@Nullable Clock clock, Traffic traffic) {
            boolean isOneWay = traffic == Traffic.ONE_WAY;
            if (clock == null
                    || (clock.sender().steps().isEmpty()
                            && (!isOneWay || clock.receiver().steps().isEmpty()))) {
                return values;
            }
            return replaceFirst(values, SeriesState.CLOCK_STEP);
        }

        private static List<Probe.Measured> replaceFirst(List<Probe.Measured> values, int state) {
            List<Probe.Measured> others = new ArrayList<>(values);
            others.set(0, new Probe.Measured(Double.NaN, state));
            return others;
        }

        private List<Probe.Measured> values(RunRecord record, PointSummary point) {
            List<Probe.Measured> values = Value.of(spec, isOneClock).stream()
                    .map(value -> value.in(point))
                    .toList();
            boolean isClockUnknown = record.clock() != null && record.clock().accepted();
            return isClockUnknown && spec.point().traffic().kind() == Traffic.ONE_WAY
                    ? replaceFirst(values, ExitCode.CLOCK.code())
                    : values;
        }
    }
}
