package org.lagbench.experiment;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;

/**
 * What {@code lagbench monitor} does with an experiment.
 *
 * @param everyNs time between two probes of a series in ns
 * @param forNs how long to monitor in ns; {@link #UNLIMITED} until it is interrupted
 * @param jitterNs maximum random delay of each probe, in ns
 * @param metrics the ids of the metrics that are series; empty for those that stand for the traffic of a probe
 * @param targets the receivers; empty for the experiment's
 * @param probes what to probe, in the order of a round; empty for each point of the experiment
 */
public record Monitoring(
        long everyNs, long forNs, long jitterNs, List<String> metrics, List<Endpoint> targets, List<ProbeSpec> probes) {
    public static final long UNLIMITED = 0;
    public static final long DEFAULT_EVERY_NS = TimeUnit.SECONDS.toNanos(12);

    /** The duration of the measurement in Krintz and Wolski's paper. */
    public static final long DEFAULT_FOR_NS = TimeUnit.HOURS.toNanos(24);

    /** The maximum number of receivers, and of probes, of a monitor. */
    public static final int MAXIMUM_LIST = 100;

    public Monitoring {
        metrics = List.copyOf(metrics);
        targets = List.copyOf(targets);
        probes = List.copyOf(probes);
    }

    Monitoring withoutAuto() {
        return new Monitoring(
                everyNs,
                forNs,
                jitterNs,
                metrics,
                targets,
                probes.stream()
                        .map(probe -> new ProbeSpec(probe.name, probe.isKept, probe.points.withoutAuto()))
                        .toList());
    }

    /**
     * Returns what the names of all series of a receiver begin with: its address and port, and a dot; "" for the only
     * receiver.
     */
    public static String prefix(Endpoint receiver, int receivers) {
        return receivers == 1
                ? ""
                : receiver.toString().replaceAll("[^A-Za-z0-9.]+", "-").replaceFirst("^-", "") + ".";
    }

    /** Returns why a probe is refused whose runs have no valid names, as a sentence. */
    public static String tooLong(ProbeSpec probe) {
        return "the name of a run of the probe " + probe.name()
                + " has more than " + RunParameters.MAX_NAME + " characters, with its target, its axes and, if it is"
                + " kept, its time; give the probe a shorter name.";
    }

    /** Returns what to probe: the given probes, or the points of their experiment. */
    public List<ProbeSpec> probesOf(Experiment experiment) {
        return probes.isEmpty() ? List.of(new ProbeSpec(experiment.name(), false, experiment)) : probes;
    }

    /**
     * What a monitor probes: one point, or several that follow each other, such as one for each engine.
     *
     * @param name part of the names of its series
     * @param isKept whether the captures of its runs are kept
     * @param points an experiment with these points, one repeat
     */
    public record ProbeSpec(String name, boolean isKept, Experiment points) {
        /** The engine is in the names of all series, so that adding another renames none. */
        private static final List<String> ALWAYS_NAMED = List.of(Axis.ENGINE);

        private static final List<String> REFUSED = ExperimentKeys.names(
                List.of(ExperimentKeys.STREAMS, ExperimentKeys.PARALLEL, ExperimentKeys.DIRECTION, ExperimentKeys.JVM));

        /**
         * Returns the runs of one round in the order of the points, each with the name of its series: the probe, the
         * engine, and the values of other axes with several.
         *
         * @param prefix of the names
         * @throws LagbenchException if a monitor does not send the points as the experiment says
         * @throws IllegalArgumentException if a name is too long
         */
        public List<RunSpec> runs(String prefix) throws LagbenchException {
            if (!points.concurrent().equals(ConcurrentStreams.ONE)
                    || !points.axes().jvmOptions().equals(List.of(JvmOptions.NONE))) {
                throw ExitCode.USAGE.failure("A monitor sends one stream at a time, forward, in its own JVM. Leave out "
                        + String.join(", ", REFUSED) + ", or name probes instead of " + MonitorReader.POINTS + ".");
            }
            List<Map<String, String>> axes = points.values();
            Set<String> varied = Axis.varied(axes).keySet();
            List<RunSpec> runs = points.runsInOrder();
            List<RunSpec> named = IntStream.range(0, runs.size())
                    .mapToObj(i -> runs.get(i).named(prefix + name + "." + end(axes.get(i), varied)))
                    .toList();
            named.forEach(run -> at(run, RealtimeClock.nowNs()));
            return named;
        }

        /**
         * Returns the run of a time, which is in its name if the captures are kept.
         *
         * @param atNs in ns since the epoch
         * @throws IllegalArgumentException if the name is too long
         */
        public RunSpec at(RunSpec run, long atNs) {
            return isKept ? run.named(run.name() + "-" + TimeUnit.NANOSECONDS.toSeconds(atNs)) : run;
        }

        private static String end(Map<String, String> values, Set<String> varied) {
            StringBuilder end = new StringBuilder(String.valueOf(values.get(Axis.ENGINE)));
            for (String axis : varied) {
                String value = values.get(axis);
                if (value != null && !ALWAYS_NAMED.contains(axis)) {
                    end.append('-')
                            .append(axis.substring(axis.indexOf('.') + 1))
                            .append('-')
                            .append(value.replaceAll("[^A-Za-z0-9.]+", "-"));
                }
            }
            return end.toString();
        }
    }
}
