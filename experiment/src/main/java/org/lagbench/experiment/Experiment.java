package org.lagbench.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Key;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunOrder;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.text.Endpoint;

/**
 * An experiment with all defaults, every value within its range. Its points are all combinations of transport, packet
 * size, traffic, pace, program and the transport's settings; each is run {@link #repeats()} times. Immutable; read by
 * {@link ExperimentReader}, written by {@link #toYaml()}.
 *
 * @param name names the session directory; matches {@link RunSpec#NAME}
 * @param warmUpPackets number of unrecorded packets that are sent before the recorded ones
 * @param repeats number of runs of each point
 * @param transports the transports with their settings; empty if there are streams
 * @param packetSizes the packet sizes of each kind of traffic, header included, in bytes; accepted by every transport
 * @param kinds the kinds of traffic
 * @param inFlight how many packets of a round trip may wait for their answers
 * @param answerTimeout how long after a packet of a round trip its answer is late
 * @param transferBytes the sizes of transfers
 * @param transferCount the number of transfers of a run
 * @param keepsConnection whether the transfers of a run share a connection
 * @param codecs the codecs of transfers; {@link CompressionSpec#OFF} for pieces that are packets
 * @param data the contents of compressed transfers
 * @param paces the schedules of the packets
 * @param directions which way the packets go: one direction, or both at the same time
 * @param parallel number of equal streams of each run in each direction
 * @param streams the streams to send together and each alone; empty if there are transports, sizes and paces instead
 * @param engines the engines with their settings
 * @param jvmOptions the sets of options of the engines that run on a JVM
 * @param observe recordings besides the packets' stamps
 * @param pairsOf the axis whose values are run in succession, in a random order; null if all points are shuffled
 * @param seed of the order of the runs; null to draw one ({@link RunOrder#drawSeed()})
 * @param receiver the receiver's address; null to start one on this machine
 * @param keyFile the file with the key shared with the receiver, absolute; null for none
 * @param dataHost the receiver's address for packets; null if it is that of the control connection
 * @param local this host's end of the packets
 * @param lab the emulated network; null for this machine's own
 * @param tune what {@code lagbench tune} searches for; null for nothing
 * @param monitor what {@code lagbench monitor} does; null for nothing
 * @param capacity what {@code lagbench capacity} measures; null for its default
 * @param clock the requirements of the clocks
 * @param machine the requirements of the hosts besides their clocks
 * @param conditions what all runs have in common
 */
public record Experiment(
        String name,
        long packets,
        long warmUpPackets,
        int repeats,
        List<SettingAxes<Transport>> transports,
        @Key("packet-bytes") Map<Traffic, List<Integer>> packetSizes,
        @Key("traffic") List<Traffic> kinds,
        int inFlight,
        Duration answerTimeout,
        List<Long> transferBytes,
        @Key("transfers") int transferCount,
        @Key("connection") boolean keepsConnection,
        List<String> codecs,
        List<String> data,
        List<Pace> paces,
        List<StreamRole.Direction> directions,
        int parallel,
        List<PacketStream> streams,
        List<SettingAxes<Engine>> engines,
        List<JvmOptions> jvmOptions,
        List<Observation> observe,
        @Key("order") @Nullable String pairsOf,
        @Nullable Long seed,
        @Nullable Endpoint receiver,
        @Nullable Path keyFile,
        @Nullable String dataHost,
        LocalEnd local,
        @Nullable Network lab,
        @Nullable Tuning tune,
        @Nullable Monitoring monitor,
        @Nullable CapacitySpec capacity,
        ClockPolicy clock,
        MachinePolicy machine,
        RunConditions conditions) {
    /** The option by which a user accepts a file of a session to resume. */
    public static final String ALLOW_FILE = "--allow-file";

    /** The maximum number of repeats of a point. */
    public static final int MAXIMUM_REPEATS = 1_000;

    /** The maximum number of runs of an experiment. */
    public static final int MAXIMUM_RUNS = 100_000;

    public Experiment {
        transports = List.copyOf(transports);
        packetSizes = Collections.unmodifiableMap(new LinkedHashMap<>(packetSizes));
        kinds = List.copyOf(kinds);
        transferBytes = List.copyOf(transferBytes);
        codecs = List.copyOf(codecs);
        data = List.copyOf(data);
        paces = List.copyOf(paces);
        directions = List.copyOf(directions);
        streams = List.copyOf(streams);
        engines = List.copyOf(engines);
        jvmOptions = List.copyOf(jvmOptions);
        observe = List.copyOf(observe);
    }

    /** Returns the files of this host that the runs read: the key, and data to send. */
    public Set<Path> files() {
        Set<Path> files = new LinkedHashSet<>();
        if (keyFile != null) {
            files.add(keyFile);
        }
        data.stream().filter(CompressionSpec::isFile).map(Path::of).forEach(files::add);
        if (monitor != null) {
            monitor.probes().forEach(probe -> files.addAll(probe.points().files()));
        }
        return files;
    }

    /** Returns the hosts to which the runs connect or send; empty if both sides are on this host. */
    public Set<Endpoint> hosts() {
        Set<Endpoint> hosts = new LinkedHashSet<>();
        if (receiver != null) {
            hosts.add(receiver);
        }
        if (monitor != null) {
            hosts.addAll(monitor.targets());
            monitor.probes().forEach(probe -> hosts.addAll(probe.points().hosts()));
        }
        transports.forEach(transport -> transport
                .combinations()
                .forEach(settings -> hosts.addAll(transport.owner().destinations(settings))));
        return hosts;
    }

    /** Returns whether the runs send a file to another host. */
    public boolean sendsFile() {
        return receiver != null && data.stream().anyMatch(CompressionSpec::isFile);
    }

    /** Returns the options of a command that continues the session of this experiment in a directory. */
    public String resumeOptions(Path session) {
        return "--resume " + session
                + files().stream().map(file -> " " + ALLOW_FILE + " " + file).collect(Collectors.joining());
    }

    /** Returns what the runs do: each kind of traffic, transfers of each size with each codec and its data. */
    public List<TrafficSpec> traffics() {
        List<TrafficSpec> traffics = new ArrayList<>();
        for (Traffic kind : kinds) {
            switch (kind) {
                case ONE_WAY -> traffics.add(TrafficSpec.ONE_WAY);
                case ROUND_TRIP -> traffics.add(new TrafficSpec(kind, inFlight, answerTimeout));
                case TRANSFER ->
                    transferBytes.forEach(bytes -> compressions()
                            .forEach(compression -> traffics.add(TrafficSpec.of(
                                    new TransferSpec(bytes, transferCount, keepsConnection, compression)))));
            }
        }
        return traffics;
    }

    /** Returns each codec with each kind of data; null for transfers of packets. */
    private List<@Nullable CompressionSpec> compressions() {
        List<@Nullable CompressionSpec> compressions = new ArrayList<>();
        for (String codec : codecs) {
            if (codec.equals(CompressionSpec.OFF)) {
                compressions.add(null);
            } else {
                data.forEach(contents -> compressions.add(new CompressionSpec(codec, contents)));
            }
        }
        return compressions;
    }

    /** Returns what sends and receives: each engine with its settings, those on a JVM with each set of its options. */
    public List<Program> programs() {
        return programs(engine -> true);
    }

    /** Returns those that send over a transport. */
    private List<Program> programs(Transport transport) {
        return programs(engine -> engine.pairsWith(transport));
    }

    private List<Program> programs(Predicate<Engine> isUsed) {
        List<Program> programs = new ArrayList<>();
        for (SettingAxes<Engine> engine : engines) {
            if (!isUsed.test(engine.owner())) {
                continue;
            }
            List<JvmOptions> options = engine.owner().runsOnJvm() ? jvmOptions : List.of(JvmOptions.NONE);
            for (Settings settings : engine.combinations()) {
                options.forEach(option -> programs.add(new Program(engine.name(), settings, option)));
            }
        }
        return programs;
    }

    /** Returns the number of runs, groups counted as one; at most {@link Long#MAX_VALUE}. */
    public long runCount() {
        double sizes = traffics().stream()
                .mapToDouble(traffic -> packetBytes(traffic).size())
                .sum();
        double points = streams.isEmpty()
                ? sizes
                        * paces.size()
                        * sum(
                                transports,
                                transport -> transport.combinationCount()
                                        * programCount(engine -> engine.pairsWith(transport.owner())))
                : togetherAndAlone() * programCount(engine -> true);
        return (long) (points * repeats);
    }

    /** Does not make the programs, of which there may be too many. */
    private double programCount(Predicate<Engine> isUsed) {
        return sum(
                engines.stream().filter(engine -> isUsed.test(engine.owner())).toList(),
                engine -> engine.combinationCount() * (engine.owner().runsOnJvm() ? jvmOptions.size() : 1.0));
    }

    private static <T> double sum(List<T> all, ToDoubleFunction<T> count) {
        return all.stream().mapToDouble(count).sum();
    }

    /** Returns the packet sizes of a kind of traffic, header included, in bytes. */
    public List<Integer> packetBytes(TrafficSpec traffic) {
        return packetSizes.getOrDefault(traffic.kind(), List.of());
    }

    /**
     * Returns all runs in the order of execution: repeat after repeat, the points shuffled anew in each, so that a
     * drift of the machine does not affect one axis only. With {@link #pairsOf()}, pairs stay together.
     * {@link RunOrder} documents the order. Runs are named by their number in it: {@code 0001-tcp-992-r1}.
     */
    public List<RunSpec> runs(long seed) {
        return groups(seed).stream().flatMap(group -> group.runs().stream()).toList();
    }

    /**
     * Returns all runs in the order of execution, simultaneous ones in one group. Each repeat has all streams together
     * and each alone, which separates their effect on each other from changes of the machine.
     */
    public List<RunGroup> groups(long seed) {
        List<RunGroup> points = points();
        RunOrder order = new RunOrder(seed);
        List<RunGroup> groups = new ArrayList<>(points.size() * repeats);
        int[] pairs = pairsOf == null ? null : Axis.pairs(axes(), pairsOf);
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (int index : pairs == null ? order.next(points.size()) : order.nextOfPairs(pairs)) {
                groups.add(points.get(index).numbered(groups.size() + 1, repeat));
            }
        }
        return groups;
    }

    /** Returns the runs of one repeat in the order of the points, with the simultaneous runs of a group adjacent. */
    List<RunSpec> runsInOrder() {
        return points().stream()
                .flatMap(point -> point.numbered(1, 1).runs().stream())
                .toList();
    }

    List<Map<String, String>> axes() {
        return points().stream()
                .map(group ->
                        streams.isEmpty() ? Axis.values(group.runs().get(0).point()) : streamValues(group.runs()))
                .toList();
    }

    /** Returns the values of the axes of streams at the same time, all of one program. */
    private static Map<String, String> streamValues(List<RunSpec> together) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(
                ExperimentKeys.STREAMS.name(),
                together.stream()
                        .map(RunSpec::stream)
                        .filter(Objects::nonNull)
                        .map(StreamRole::name)
                        .collect(Collectors.joining(" ")));
        Program program = together.get(0).point().program();
        values.put(Axis.ENGINE, program.engine());
        values.put(Axis.JVM, program.jvmOptions().text());
        return values;
    }

    /** Returns the run of an experiment with one point; its number in the order counts from 1. */
    public RunGroup run(int number) {
        return run(number, transports.get(0).combinations().get(0));
    }

    /**
     * Returns a run of an experiment with one transport, packet size, pace and program.
     *
     * @param number its number in the order, from 1
     * @param settings of the transport, instead of the experiment's
     */
    public RunGroup run(int number, Settings settings) {
        TrafficSpec traffic = traffics().get(0);
        int bytes = packetBytes(traffic).get(0);
        return group(point(
                        transports.get(0).name(),
                        bytes,
                        traffic.packets(packets, bytes),
                        traffic,
                        paces.get(0),
                        programs().get(0),
                        settings))
                .numbered(number, 1);
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
        transports.forEach(transport -> yaml.append(transport.toYaml()));
        engines.forEach(engine -> yaml.append(engine.toYaml()));
        return yaml.toString();
    }

    /** Returns the number of points of each program: each stream alone, and all together if there are several. */
    private int togetherAndAlone() {
        return streams.size() == 1 ? 1 : streams.size() + 1;
    }

    /** Returns the runs of each point once, without the numbers that their names have in the order. */
    private List<RunGroup> points() {
        List<RunGroup> points = new ArrayList<>();
        List<Program> programs = programs();
        List<TrafficSpec> traffics = traffics();
        for (Program program : programs) {
            for (PacketStream stream : streams) {
                points.add(group(List.of(stream), program));
            }
            if (streams.size() > 1) {
                points.add(group(streams, program));
            }
        }
        for (SettingAxes<Transport> transport : transports) {
            List<Settings> combinations = transport.combinations();
            List<Integer> sizes = traffics.stream()
                    .flatMap(traffic -> packetBytes(traffic).stream())
                    .distinct()
                    .toList();
            for (int bytes : sizes) {
                for (TrafficSpec traffic : traffics) {
                    for (Pace pace : packetBytes(traffic).contains(bytes) ? paces : List.<Pace>of()) {
                        for (Program program : programs(transport.owner())) {
                            for (Settings settings : combinations) {
                                long count = traffic.packets(packets, bytes);
                                points.add(
                                        group(point(transport.name(), bytes, count, traffic, pace, program, settings)));
                            }
                        }
                    }
                }
            }
        }
        return points;
    }

    private RunGroup group(List<PacketStream> together, Program program) {
        List<RunSpec> runs = new ArrayList<>();
        for (PacketStream stream : together) {
            Point point = point(
                    stream.transport(),
                    stream.packetBytes(),
                    stream.packets(),
                    TrafficSpec.ONE_WAY,
                    stream.pace(),
                    program,
                    stream.settings());
            List<String> beside = together.stream()
                    .map(PacketStream::name)
                    .filter(other -> !other.equals(stream.name()))
                    .toList();
            String name = (beside.isEmpty() ? "alone-" : "together-") + stream.name();
            runs.add(new RunSpec(name, point, 1, new StreamRole(stream.name(), stream.direction(), beside)));
        }
        return new RunGroup("together", runs);
    }

    private RunGroup group(Point point) {
        String name =
                point.transport() + "-" + point.packetBytes() + point.traffic().nameSuffix();
        return new RunGroup(
                name,
                StreamRole.parallel(directions, parallel).stream()
                        .map(role -> RunSpec.of(name, point, role))
                        .toList());
    }

    private Point point(
            String transport,
            int bytes,
            long count,
            TrafficSpec traffic,
            Pace pace,
            Program program,
            Settings settings) {
        return new Point(
                transport,
                bytes,
                count,
                warmUpPackets,
                pace,
                traffic,
                settings,
                program,
                Set.copyOf(observe),
                conditions);
    }
}
