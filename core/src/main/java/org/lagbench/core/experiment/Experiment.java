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
 * An experiment with all defaults, every value within its range. Its points are all combinations of transport, packet
 * size, pace, program and the transport's settings; each is run {@link #repeats()} times. Immutable; read by
 * {@link ExperimentReader}, written by {@link #toYaml()}.
 *
 * @param name names the session directory; matches {@link RunSpec#NAME}
 * @param warmUpPackets packets sent before them, unrecorded
 * @param repeats the runs of each point
 * @param packetBytes the packet sizes, header included, in bytes; accepted by every transport
 * @param paces the schedules of the packets
 * @param streams the streams to send together and each alone; empty if there are transports, sizes and paces instead
 * @param programs what sends and receives: each engine, those on a JVM with each set of its options
 * @param observe recordings besides the packets' stamps
 * @param seed of the order of the runs; null to draw one ({@link RunOrder#drawSeed()})
 * @param receiver the receiver's address; null to start one on this machine
 * @param keyFile the file with the key shared with the receiver, absolute; null for none
 * @param lab the emulated network; null for this machine's own
 * @param tune what {@code lagbench tune} searches for; null for nothing
 * @param clock the requirements of the clocks
 * @param drain how long the receiver waits for late packets
 * @param stallTimeout the time without progress after which a run fails
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
        long others = saturatedProduct((long) packetBytes.size() * paces.size(), (long) programs.size() * repeats);
        return saturatedProduct(combinations, others);
    }

    /**
     * Returns all runs in the order of execution: repeat after repeat, the points shuffled anew in each, so that a
     * drift of the machine does not affect one axis only. {@link RunOrder} documents the order. Runs are named by their
     * number in it: {@code 0001-tcp-992-r1}.
     */
    public List<RunSpec> runs(long seed) {
        return groups(seed).stream().flatMap(group -> group.runs().stream()).toList();
    }

    /**
     * Returns the same runs, simultaneous ones in one group. Each repeat has all streams together and each alone, which
     * separates their effect on each other from changes of the machine.
     */
    public List<RunGroup> groups(long seed) {
        List<Point> points = points();
        RunOrder order = new RunOrder(seed);
        List<RunGroup> groups = new ArrayList<>(points.size() * repeats);
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (int index : order.next(points.size())) {
                groups.add(points.get(index).group(groups.size() + 1, repeat));
            }
        }
        return groups;
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
                packetBytes.get(0),
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

    private List<Point> points() {
        List<Point> points = new ArrayList<>();
        for (Program program : programs) {
            for (PacketStream stream : streams) {
                points.add((number, repeat) -> streams(List.of(stream), program, number, repeat));
            }
            if (streams.size() > 1) {
                points.add((number, repeat) -> streams(streams, program, number, repeat));
            }
        }
        for (TransportAxes transport : transports) {
            List<Settings> combinations = transport.combinations();
            for (int bytes : packetBytes) {
                for (Pace pace : paces) {
                    for (Program program : programs) {
                        for (Settings settings : combinations) {
                            points.add((number, repeat) ->
                                    single(transport.transport(), bytes, pace, program, settings, number, repeat));
                        }
                    }
                }
            }
        }
        return points;
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
            String transport, int bytes, Pace pace, Program program, Settings settings, int number, int repeat) {
        return RunGroup.of(new RunSpec(
                String.format(Locale.ROOT, "%04d-%s-%d-r%d", number, transport, bytes, repeat),
                transport,
                bytes,
                packets,
                warmUpPackets,
                pace,
                repeat,
                settings,
                program,
                observe,
                null,
                drain,
                stallTimeout));
    }

    /** Returns the product of two numbers that are not negative, at most {@link Long#MAX_VALUE}. */
    static long saturatedProduct(long a, long b) {
        return a != 0 && b > Long.MAX_VALUE / a ? Long.MAX_VALUE : a * b;
    }

    /** Makes the runs of one point; a point is run again in each repeat. */
    private interface Point {
        RunGroup group(int number, int repeat);
    }
}
