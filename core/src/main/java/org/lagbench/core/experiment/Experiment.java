package org.lagbench.core.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.lab.Network;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.tune.Tuning;

/**
 * An experiment, complete with defaults, every value within its range. Its points are all combinations of transport,
 * packet size, pace, program and the transport's settings; each is run {@link #repeats()} times. Immutable; made by
 * {@link ExperimentReader}, written by {@link #toYaml()}.
 *
 * @param name names the session directory; matches {@link RunSpec#NAME}
 * @param packets how many packets each run records
 * @param warmUpPackets how many packets go before them, unrecorded
 * @param repeats how often each point is run
 * @param transports the transports with their settings
 * @param packetBytes the packet sizes, header included, in bytes; every transport carries each of them
 * @param paces when packets are to leave
 * @param streams what is sent at the same time, and each alone; none if there are transports, sizes and paces instead
 * @param programs what sends and receives: each engine, those on a JVM with each set of its options
 * @param observe what is recorded beside the packets' stamps
 * @param seed of the order of the runs; null if one is to be drawn ({@link RunOrder#drawSeed()}) and recorded
 * @param receiver where the receiver waits; null if one is to be started on this machine
 * @param keyFile the file with the key shared with the receiver, absolute; null for none
 * @param lab the network that sender and receiver are put into; null for this machine's own
 * @param tune what {@code lagbench tune} is to find; null for nothing
 * @param clock what is demanded of the clocks
 * @param drain how long the receiver waits for stragglers
 * @param stallTimeout after how long without progress a run is given up
 */
public record Experiment(
        String name,
        long packets,
        long warmUpPackets,
        int repeats,
        List<TransportAxes> transports,
        List<Integer> packetBytes,
        List<Pace> paces,
        List<PacketStream> streams,
        List<Program> programs,
        Set<Observation> observe,
        @Nullable Long seed,
        @Nullable Endpoint receiver,
        @Nullable Path keyFile,
        @Nullable Network lab,
        @Nullable Tuning tune,
        ClockPolicy clock,
        Duration drain,
        Duration stallTimeout) {
    /** Most repeats of a point. */
    public static final int MAXIMUM_REPEATS = 1_000;

    /** Most runs of an experiment. */
    public static final int MAXIMUM_RUNS = 100_000;

    public Experiment {
        transports = List.copyOf(transports);
        packetBytes = List.copyOf(packetBytes);
        paces = List.copyOf(paces);
        streams = List.copyOf(streams);
        programs = List.copyOf(programs);
        observe = Set.copyOf(observe);
    }

    /**
     * How many runs the experiment makes, those at the same time as one; {@link Long#MAX_VALUE} stands for more than
     * fit.
     */
    public long runCount() {
        if (!streams.isEmpty()) {
            return saturatedProduct((long) togetherAndAlone() * programs.size(), repeats);
        }
        long combinations = 0;
        for (TransportAxes transport : transports) {
            long sum = combinations + transport.combinationCount();
            combinations = sum < 0 ? Long.MAX_VALUE : sum;
        }
        long others = saturatedProduct((long) packetBytes.size() * paces.size(), (long) programs.size() * repeats);
        return saturatedProduct(combinations, others);
    }

    /**
     * All runs in the order of their execution: one repeat of every point after the other, the points in an order of
     * their own in each repeat, so that a drift of the machine does not land on one axis. {@link RunOrder} documents
     * how the order follows from the seed. Runs are named by their place in it: {@code 0001-tcp-992-r1}.
     */
    public List<RunSpec> runs(long seed) {
        return groups(seed).stream().flatMap(group -> group.runs().stream()).toList();
    }

    /**
     * The same, those that are made at the same time in one group. Of streams, each repeat has them all together and
     * each alone, so that what they do to each other is told from what the machine did meanwhile.
     */
    public List<RunGroup> groups(long seed) {
        List<Point> points = points();
        RunOrder order = new RunOrder(seed);
        List<RunGroup> groups = new ArrayList<>(points.size() * repeats);
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (int index : order.next(points.size())) {
                groups.add(points.get(index).group(this, groups.size() + 1, repeat));
            }
        }
        return groups;
    }

    /**
     * One run of an experiment that has one transport, packet size, pace and program.
     *
     * @param number its place in the order, from 1
     * @param settings of the transport, in place of the experiment's own
     */
    public RunGroup run(int number, int repeat, Settings settings) {
        return new OrdinaryPoint(
                        transports.get(0).transport(), packetBytes.get(0), paces.get(0), programs.get(0), settings)
                .group(this, number, repeat);
    }

    /** This experiment with the seed of its order decided, so that its runs can be listed again. */
    public Experiment withSeed(long decided) {
        return new Experiment(
                name,
                packets,
                warmUpPackets,
                repeats,
                transports,
                packetBytes,
                paces,
                streams,
                programs,
                observe,
                decided,
                receiver,
                keyFile,
                lab,
                tune,
                clock,
                drain,
                stallTimeout);
    }

    /** The experiment as a file, all defaults written out. Read again it is an equal experiment. */
    public String toYaml() {
        return ExperimentWriter.write(this);
    }

    /** All streams together, if there are several, and each alone. */
    private int togetherAndAlone() {
        return streams.size() == 1 ? 1 : streams.size() + 1;
    }

    private List<Point> points() {
        List<Point> points = new ArrayList<>();
        for (Program program : programs) {
            for (PacketStream stream : streams) {
                points.add(new StreamPoint(program, List.of(stream)));
            }
            if (streams.size() > 1) {
                points.add(new StreamPoint(program, streams));
            }
        }
        for (TransportAxes transport : transports) {
            List<Settings> combinations = transport.combinations();
            for (int bytes : packetBytes) {
                for (Pace pace : paces) {
                    for (Program program : programs) {
                        for (Settings settings : combinations) {
                            points.add(new OrdinaryPoint(transport.transport(), bytes, pace, program, settings));
                        }
                    }
                }
            }
        }
        return points;
    }

    /** The product of two numbers that are not negative, or {@link Long#MAX_VALUE} if it is greater. */
    static long saturatedProduct(long a, long b) {
        return a != 0 && b > Long.MAX_VALUE / a ? Long.MAX_VALUE : a * b;
    }

    /** What is run again in each repeat. */
    private interface Point {
        RunGroup group(Experiment experiment, int number, int repeat);
    }

    private record StreamPoint(Program program, List<PacketStream> streams) implements Point {
        @Override
        public RunGroup group(Experiment experiment, int number, int repeat) {
            List<RunSpec> runs = new ArrayList<>();
            for (PacketStream stream : streams) {
                List<String> beside = streams.stream()
                        .filter(other -> !other.equals(stream))
                        .map(PacketStream::name)
                        .toList();
                runs.add(stream.run(experiment, program, number, repeat, beside));
            }
            return runs.size() == 1
                    ? RunGroup.of(runs.get(0))
                    : new RunGroup(String.format(Locale.ROOT, "%04d-together-r%d", number, repeat), runs);
        }
    }

    private record OrdinaryPoint(String transport, int packetBytes, Pace pace, Program program, Settings settings)
            implements Point {
        @Override
        public RunGroup group(Experiment experiment, int number, int repeat) {
            return RunGroup.of(new RunSpec(
                    String.format(Locale.ROOT, "%04d-%s-%d-r%d", number, transport, packetBytes, repeat),
                    transport,
                    packetBytes,
                    experiment.packets,
                    experiment.warmUpPackets,
                    pace,
                    repeat,
                    settings,
                    program,
                    experiment.observe,
                    null,
                    experiment.drain,
                    experiment.stallTimeout));
        }
    }
}
