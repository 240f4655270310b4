package org.lagbench.runner.monitor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.series.Domain;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.text.Units;
import org.lagbench.core.yaml.Experiment;
import org.lagbench.core.yaml.Monitoring;
import org.lagbench.core.yaml.ProbeSpec;
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
     */
    public record Access(@Nullable SharedKey key, @Nullable String dataHost, ShutdownCoordinator shutdown) {}

    /**
     * Returns the turns of an experiment.
     *
     * @param session the session directory
     * @param receivers in the order of their turns
     * @param access how to reach them
     */
    public static List<Turn> of(
            Experiment experiment, Monitoring monitoring, Path session, List<Endpoint> receivers, Access access) {
        List<Turn> turns = new ArrayList<>();
        for (Endpoint receiver : receivers) {
            ProbeSender target =
                    new ProbeSender(receiver, access.key(), access.dataHost(), experiment.clock(), access.shutdown());
            String name = receiver.toString().replaceAll("[^A-Za-z0-9.]+", "-").replaceFirst("^-", "");
            String prefix = receivers.size() == 1 ? "" : name + ".";
            for (ProbeSpec spec : monitoring.probesOf(experiment)) {
                List<Probe> probes = new ArrayList<>();
                for (Map.Entry<String, RunSpec> run : spec.runs().entrySet()) {
                    probes.add(new RunProbe(
                            target,
                            run.getValue(),
                            prefix + spec.name() + "." + run.getKey(),
                            session.resolve(spec.isKept() ? "runs" : "probes"),
                            spec.isKept(),
                            monitoring.everyNs()));
                }
                turns.add(new Turn(probes));
            }
            turns.add(new Turn(List.of(new LoadProbe(target, prefix, monitoring.everyNs()))));
        }
        return turns;
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
                            Domain.PERCENT),
                    new SeriesInfo(
                            prefix + "host.run-queue",
                            prefix + "time with a task waiting for a CPU on the receiver's host",
                            "%",
                            everyNs,
                            Domain.PERCENT));
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
}
