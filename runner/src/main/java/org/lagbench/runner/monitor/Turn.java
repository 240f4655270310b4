package org.lagbench.runner.monitor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.HostMetrics;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.timeseries.SeriesInfo;
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
        Set<Metric<?>> probed = new HashSet<>(HostMetrics.METRICS);
        for (Endpoint receiver : receivers) {
            ProbeSender target = new ProbeSender(
                    receiver,
                    access.key(),
                    access.dataHost(),
                    access.local(),
                    experiment.path().clock(),
                    access.shutdown());
            String prefix = Monitoring.prefix(receiver, receivers.size());
            for (Monitoring.ProbeSpec spec : monitoring.probesOf(experiment)) {
                List<Probe> probes = new ArrayList<>();
                try {
                    for (RunSpec run : spec.runs(prefix)) {
                        List<Metric<?>> metrics = RunProbe.metrics(monitoring.metrics(), run);
                        probed.addAll(metrics);
                        if (!metrics.isEmpty()) {
                            boolean isOneClock = access.hasOneClock(receiver);
                            probes.add(
                                    RunProbe.of(target, run, spec, metrics, isOneClock, session, monitoring.everyNs()));
                        }
                    }
                } catch (IllegalArgumentException e) {
                    throw ExitCode.USAGE.failure("monitor: " + Monitoring.tooLong(spec), e);
                }
                if (!probes.isEmpty()) {
                    turns.add(new Turn(probes));
                }
            }
            turns.add(new Turn(List.of(new LoadProbe(target, prefix, monitoring.everyNs()))));
        }
        refuseUnknown(monitoring.metrics(), probed);
        refuseEqualNames(series(turns));
        return turns;
    }

    /** Refuses metrics that no probe has. */
    private static void refuseUnknown(List<String> metrics, Set<Metric<?>> probed) throws LagbenchException {
        for (String id : metrics) {
            if (!probed.contains(MetricRegistry.named(id))) {
                throw ExitCode.USAGE.failure("monitor.metrics: no probe has " + id
                        + ", because it is undefined for their traffic. Add a probe that has it, or leave it out.");
            }
        }
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
}
