package org.lagbench.core.yaml;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.text.Endpoint;

/**
 * What {@code lagbench monitor} does with an experiment.
 *
 * @param everyNs time between two probes of a series in ns
 * @param forNs how long to monitor in ns; {@link #UNLIMITED} until it is interrupted
 * @param jitterNs maximum random delay of each probe, in ns
 * @param targets the receivers; empty for the experiment's
 * @param probes what to probe, in the order of a round; empty for each point of the experiment
 */
public record Monitoring(long everyNs, long forNs, long jitterNs, List<Endpoint> targets, List<ProbeSpec> probes) {
    public static final long UNLIMITED = 0;
    public static final long DEFAULT_EVERY_NS = TimeUnit.SECONDS.toNanos(12);

    /** The duration of the measurement in Krintz and Wolski's paper. */
    public static final long DEFAULT_FOR_NS = TimeUnit.HOURS.toNanos(24);

    /** The maximum number of receivers, and of probes, of a monitor. */
    public static final int MAXIMUM_LIST = 100;

    public Monitoring {
        targets = List.copyOf(targets);
        probes = List.copyOf(probes);
    }

    /** Returns what to probe: the given probes, or the points of their experiment. */
    public List<ProbeSpec> probesOf(Experiment experiment) {
        return probes.isEmpty() ? List.of(new ProbeSpec(experiment.name(), false, experiment)) : probes;
    }
}
