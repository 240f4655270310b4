package org.lagbench.core.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;

/**
 * An experiment with all defaults, every value within its range. Its points are all combinations of transport, packet
 * size, traffic, pace, program and the transport's settings; each is run {@link #repeats()} times. Immutable; read by
 * {@link ExperimentReader}, written by {@link #toYaml()}.
 *
 * @param name names the session directory; matches {@link RunSpec#NAME}
 * @param warmUpPackets number of unrecorded packets that are sent before the recorded ones
 * @param repeats number of runs of each point
 * @param packetSizes the packet sizes of each kind of traffic, header included, in bytes; accepted by every transport
 * @param traffics what the runs do
 * @param paces the schedules of the packets
 * @param directions which way the packets go: one direction, or both at the same time
 * @param streams the streams to send together and each alone; empty if there are transports, sizes and paces instead
 * @param programs what sends and receives: each engine with its settings, those on a JVM with each set of its options
 * @param observe recordings besides the packets' stamps
 * @param pairsOf the axis whose values are run one after the other, in a random order; null if all points are shuffled
 * @param seed of the order of the runs; null to draw one ({@link RunOrder#drawSeed()})
 * @param receiver the receiver's address; null to start one on this machine
 * @param keyFile the file with the key shared with the receiver, absolute; null for none
 * @param dataHost the receiver's address for packets; null if it is that of the control connection
 * @param lab the emulated network; null for this machine's own
 * @param tune what {@code lagbench tune} searches for; null for nothing
 * @param monitor what {@code lagbench monitor} does; null for nothing
 * @param capacity what {@code lagbench capacity} measures; null for its default
 * @param clock the requirements of the clocks
 * @param conditions what all runs have in common
 */
public record Experiment(
        String name,
        long packets,
        long warmUpPackets,
        int repeats,
        List<TransportAxes> transports,
        Map<Traffic, List<Integer>> packetSizes,
        List<TrafficSpec> traffics,
        List<Pace> paces,
        List<StreamRole.Direction> directions,
        List<PacketStream> streams,
        List<Program> programs,
        Set<Observation> observe,
        @Nullable String pairsOf,
        @Nullable Long seed,
        @Nullable Endpoint receiver,
        @Nullable Path keyFile,
        @Nullable String dataHost,
        @Nullable Network lab,
        @Nullable Tuning tune,
        @Nullable Monitoring monitor,
        @Nullable CapacitySpec capacity,
        ClockPolicy clock,
        RunConditions conditions) {
    /** Most repeats of a point. */
    public static final int MAXIMUM_REPEATS = 1_000;

    /** Most runs of an experiment. */
    public static final int MAXIMUM_RUNS = 100_000;

    public Experiment {
        transports = List.copyOf(transports);
        packetSizes = Map.copyOf(packetSizes);
        traffics = List.copyOf(traffics);
        paces = List.copyOf(paces);
        directions = List.copyOf(directions);
        streams = List.copyOf(streams);
        programs = List.copyOf(programs);
        observe = Set.copyOf(observe);
    }

    /** Returns the number of runs, groups counted as one; at most {@link Long#MAX_VALUE}. */
    public long runCount() {
        if (!streams.isEmpty()) {
            return saturatedProduct((long) togetherAndAlone() * programs.size(), repeats);
        }
        long combinations = 0;
        for (TransportAxes transport : transports) {
            long sum = combinations + transport.combinationCount();
            combinations = sum < 0 ? Long.MAX_VALUE : sum;
        }
        long sizes = traffics.stream()
                .mapToLong(traffic -> packetBytes(traffic).size())
                .sum();
        long others = saturatedProduct(sizes * paces.size(), (long) programs.size() * repeats);
        return saturatedProduct(combinations, others);
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
        List<PlannedPoint> points = points();
        RunOrder order = new RunOrder(seed);
        List<RunGroup> groups = new ArrayList<>(points.size() * repeats);
        int[] pairs = pairs(points);
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (int index : pairs == null ? order.next(points.size()) : order.nextOfPairs(pairs)) {
                groups.add(points.get(index).maker().group(groups.size() + 1, repeat));
            }
        }
        return groups;
    }

    /** Returns the runs of one repeat in the order of the points, simultaneous ones of a group one after the other. */
    List<RunSpec> runsInOrder() {
        return points().stream()
                .flatMap(point -> point.maker().group(1, 1).runs().stream())
                .toList();
    }

    List<PointAxes> axes() {
        return points().stream().map(PlannedPoint::axes).toList();
    }

    /** Returns the number of each point's pair; null if all points are shuffled. */
    private int @Nullable [] pairs(List<PlannedPoint> points) {
        String axis = pairsOf;
        if (axis == null) {
            return null;
        }
        Map<PointAxes, Integer> numbers = new HashMap<>();
        return points.stream()
                .map(point -> point.axes().without(axis))
                // an engine without a JVM has no options, but belongs to the pair of those that have some
                .map(others -> axis.equals(PointAxes.ENGINE) ? others.without(PointAxes.JVM) : others)
                .mapToInt(others -> numbers.computeIfAbsent(others, pair -> numbers.size()))
                .toArray();
    }

    /**
     * Returns a run of an experiment with one transport, packet size, pace and program.
     *
     * @param number its number in the order, from 1
     * @param settings of the transport, instead of the experiment's
     */
    public RunGroup run(int number, int repeat, Settings settings) {
        return single(
                transports.get(0).transport(),
                packetBytes(traffics.get(0)).get(0),
                traffics.get(0),
                paces.get(0),
                programs.get(0),
                settings,
                number,
                repeat);
    }

    /** Returns the experiment as a file with all defaults. Reading it gives an equal experiment. */
    public String toYaml() {
        return ExperimentWriter.write(this);
    }

    /** Returns the number of points of each program: each stream alone, and all together if there are several. */
    private int togetherAndAlone() {
        return streams.size() == 1 ? 1 : streams.size() + 1;
    }

    private List<PlannedPoint> points() {
        List<PlannedPoint> points = new ArrayList<>();
        for (Program program : programs) {
            for (PacketStream stream : streams) {
                points.add(point(List.of(stream), program));
            }
            if (streams.size() > 1) {
                points.add(point(streams, program));
            }
        }
        for (TransportAxes transport : transports) {
            List<Settings> combinations = transport.combinations();
            List<Integer> sizes = traffics.stream()
                    .flatMap(traffic -> packetBytes(traffic).stream())
                    .distinct()
                    .toList();
            for (int bytes : sizes) {
                for (TrafficSpec traffic : traffics) {
                    if (packetBytes(traffic).contains(bytes)) {
                        addPoints(points, transport.transport(), bytes, traffic, combinations);
                    }
                }
            }
        }
        return points;
    }

    private PlannedPoint point(List<PacketStream> together, Program program) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(
                ExperimentKeys.STREAMS.name(),
                together.stream().map(PacketStream::name).collect(Collectors.joining(" ")));
        values.put(PointAxes.ENGINE, program.engine());
        values.put(PointAxes.JVM, program.jvmOptions().text());
        return new PlannedPoint(new PointAxes(values), (number, repeat) -> streams(together, program, number, repeat));
    }

    private void addPoints(
            List<PlannedPoint> points, String transport, int bytes, TrafficSpec traffic, List<Settings> combinations) {
        for (Pace pace : paces) {
            for (Program program : programs) {
                for (Settings settings : combinations) {
                    PointMaker maker = (number, repeat) ->
                            single(transport, bytes, traffic, pace, program, settings, number, repeat);
                    points.add(new PlannedPoint(
                            PointAxes.of(maker.group(1, 1).runs().get(0)), maker));
                }
            }
        }
    }

    private RunGroup streams(List<PacketStream> together, Program program, int number, int repeat) {
        List<RunSpec> runs = new ArrayList<>();
        for (PacketStream stream : together) {
            List<String> beside = together.stream()
                    .map(PacketStream::name)
                    .filter(name -> !name.equals(stream.name()))
                    .toList();
            runs.add(stream.run(this, program, number, repeat, beside));
        }
        return runs.size() == 1
                ? RunGroup.of(runs.get(0))
                : new RunGroup(String.format(Locale.ROOT, "%04d-together-r%d", number, repeat), runs);
    }

    private RunGroup single(
            String transport,
            int bytes,
            TrafficSpec traffic,
            Pace pace,
            Program program,
            Settings settings,
            int number,
            int repeat) {
        String name = String.format(Locale.ROOT, "%04d-%s-%d%s", number, transport, bytes, traffic.nameSuffix());
        Point point = new Point(
                transport,
                bytes,
                traffic.packets(packets, bytes),
                warmUpPackets,
                pace,
                traffic,
                settings,
                program,
                observe,
                conditions);
        List<RunSpec> runs = directions.stream()
                .map(direction -> {
                    StreamRole role = role(direction);
                    String streamName = role == null ? "" : "-" + role.name();
                    return new RunSpec(name + streamName + "-r" + repeat, point, repeat, role);
                })
                .toList();
        return runs.size() == 1 ? RunGroup.of(runs.get(0)) : new RunGroup(name + "-r" + repeat, runs);
    }

    /** Returns the role of the runs of one direction, by its name; null if all packets go forward. */
    private @Nullable StreamRole role(StreamRole.Direction direction) {
        return directions.equals(List.of(StreamRole.Direction.FORWARD))
                ? null
                : new StreamRole(
                        direction.text(),
                        direction,
                        directions.stream()
                                .filter(other -> other != direction)
                                .map(StreamRole.Direction::text)
                                .toList());
    }

    /** Returns the product of two numbers that are not negative, at most {@link Long#MAX_VALUE}. */
    static long saturatedProduct(long a, long b) {
        return a != 0 && b > Long.MAX_VALUE / a ? Long.MAX_VALUE : a * b;
    }

    /** A point, which is run again in each repeat. */
    private record PlannedPoint(PointAxes axes, PointMaker maker) {}

    /** Makes the runs of one point. */
    private interface PointMaker {
        RunGroup group(int number, int repeat);
    }
}
