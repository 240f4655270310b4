package org.lagbench.runner.monitor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.text.Endpoint;
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
}
