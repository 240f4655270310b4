package org.lagbench.experiment;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.run.TrafficSpec;

/**
 * An experiment with all defaults, every value within its range. Immutable; read by {@link ExperimentReader}, written
 * by {@link #toYaml()}.
 *
 * @param name names the session directory; matches {@link RunParameters#NAME}
 * @param base what all points have in common
 * @param axes the values in which the points differ
 * @param concurrent the streams that are sent at the same time
 * @param grid how often and in which order the points are run
 * @param path the hosts and the network between them
 * @param tune what {@code lagbench tune} searches for; null for nothing
 * @param monitor what {@code lagbench monitor} does; null for nothing
 * @param capacity what {@code lagbench capacity} measures; null for its default
 */
public record Experiment(
        String name,
        BasePoint base,
        PointAxes axes,
        ConcurrentStreams concurrent,
        GridOrder grid,
        NetworkPath path,
        @Nullable Tuning tune,
        @Nullable Monitoring monitor,
        @Nullable CapacitySpec capacity) {
    /** The option by which a user accepts a file of a session to resume. */
    public static final String ALLOW_FILE = "--allow-file";

    /** The maximum number of runs of an experiment. */
    public static final int MAXIMUM_RUNS = 100_000;

    /** Returns the files of this host that the runs read: the key, and data to send. */
    public Set<Path> files() {
        Set<Path> files = new LinkedHashSet<>();
        if (path.keyFile() != null) {
            files.add(path.keyFile());
        }
        axes.data().stream().filter(CompressionSpec::isFile).map(Path::of).forEach(files::add);
        if (monitor != null) {
            monitor.probes().forEach(probe -> files.addAll(probe.points().files()));
        }
        return files;
    }

    /** Returns the hosts to which the runs connect or send, with ports if known; empty if all is on this host. */
    public Set<String> hosts() {
        return NamedHosts.of(ExperimentKeys.EXPERIMENT, this);
    }

    /** Returns whether the runs send a file to another host. */
    public boolean sendsFile() {
        return path.receiver() != null && axes.data().stream().anyMatch(CompressionSpec::isFile);
    }

    /** Returns the options of a command that continues the session of this experiment in a directory. */
    public String resumeOptions(Path session) {
        return "--resume " + session
                + files().stream().map(file -> " " + ALLOW_FILE + " " + file).collect(Collectors.joining());
    }

    /** Returns the values of the traffic axis: each kind, and transfers of each size with each codec and its data. */
    public List<TrafficSpec> traffics() {
        return axes.traffics(base);
    }

    /**
     * Returns the values of the engine axis: each engine with its settings, and each engine on a JVM with each set of
     * JVM options.
     */
    public List<EngineSpec> programs() {
        return axes.programs();
    }

    /** Returns the packet sizes of a kind of traffic, header included, in bytes. */
    public List<Integer> packetBytes(TrafficSpec traffic) {
        return axes.packetBytes(traffic);
    }

    /** Returns the number of runs, groups counted as one; at most {@link Long#MAX_VALUE}. */
    public long runCount() {
        double points = concurrent.areDifferent()
                ? concurrent.groupCount()
                        * axes.programCount()
                        * axes.conditions().size()
                : axes.pointCount(base);
        return (long) (points * grid.repeats());
    }

    /** Returns this experiment with a seed of the order of its runs. */
    public Experiment withSeed(long seed) {
        GridOrder seeded = new GridOrder(grid.repeats(), grid.pairsOf(), seed);
        return new Experiment(name, base, axes, concurrent, seeded, path, tune, monitor, capacity);
    }

    /** Returns all runs in the order of execution. */
    public List<RunSpec> runs(long seed) {
        return groups(seed).stream().flatMap(group -> group.runs().stream()).toList();
    }

    /**
     * Returns all runs in the order of execution, simultaneous ones in one group. Each repeat has all streams together
     * and each alone, which separates their effect on each other from changes of the machine.
     */
    public List<RunGroup> groups(long seed) {
        List<RunGroup> points = points();
        return grid.groups(points, points.stream().map(concurrent::values).toList(), seed);
    }

    /** Returns the runs of one repeat in the order of the points, with the simultaneous runs of a group adjacent. */
    List<RunSpec> runsInOrder() {
        return points().stream()
                .flatMap(point -> point.numbered(1, 1).runs().stream())
                .toList();
    }

    /** Returns the values of each point's axes. */
    List<Map<String, String>> values() {
        return points().stream().map(concurrent::values).toList();
    }

    /** Returns the run of an experiment with one point, without a number. */
    public RunGroup run() {
        return concurrent.group(axes.onlyPoint(base, null));
    }

    /**
     * Returns the run of an experiment with one transport, packet size, pace and program, without a number.
     *
     * @param settings of the transport, instead of the experiment's
     */
    public RunGroup run(Settings settings) {
        return concurrent.group(axes.onlyPoint(base, settings));
    }

    /** Returns the experiment with points that leave nothing to their runs to observe, those of its probes included. */
    public Experiment withoutAuto() {
        return new Experiment(
                name,
                base.withoutAuto(),
                axes,
                concurrent,
                grid,
                path,
                tune,
                monitor == null ? null : monitor.withoutAuto(),
                capacity);
    }

    /** Returns the experiment as a file with all defaults. Reading it gives an equal experiment. */
    public String toYaml() {
        return toYaml(ExperimentKeys.ALL);
    }

    /** Returns the lines of some keys, and the sections of transports and engines. */
    String toYaml(List<Parameter<?>> keys) {
        StringBuilder yaml = new StringBuilder();
        YamlWriter.entries(ExperimentKeys.EXPERIMENT, this, keys)
                .forEach(entry -> yaml.append(entry).append('\n'));
        axes.transports().forEach(transport -> yaml.append(transport.toYaml()));
        axes.engines().forEach(engine -> yaml.append(engine.toYaml()));
        return yaml.toString();
    }

    /** Returns the runs of each point once, without the numbers that their names have in the order. */
    private List<RunGroup> points() {
        return concurrent.areDifferent()
                ? programs().stream()
                        .flatMap(program -> axes.conditions().stream()
                                .flatMap(conditions -> concurrent.groups(base, program, conditions).stream()))
                        .toList()
                : axes.points(base).stream().map(concurrent::group).toList();
    }
}
