package org.lagbench.analysis.clock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;

/**
 * A run of a packet each ms between two simulated clocks. Its paths have bursts of load and change; the rate of one
 * clock wanders. Delays are in ns.
 */
final class SimulatedRun {
    private static final double INTERVAL_NS = 1e6;
    private static final int SLICES_PER_S = 100;
    private static final double PATH_NS = 30_000;
    private static final double MIN_DELAY_NS = 3_000;

    final SimulatedClocks clocks;
    private final Random random;
    private final double seconds;
    private final double[] forwardNs;
    private final double[] backwardNs;
    private final double[] wanderNs;
    private long[][] packets = {};

    /** How long each packet takes, by the sender's clock. */
    double[] trueLagsNs = {};

    /** Exchanges in each second; bursts of four if there are fewer. */
    int exchangesEachSecond = 4;

    /** How long packets take inside the hosts, where exchanges have no stamps. */
    double hostsNs;

    SimulatedRun(long seed, double seconds) {
        this.clocks = new SimulatedClocks(seed);
        this.random = clocks.random;
        this.seconds = seconds;
        int slices = (int) ((seconds + 2) * SLICES_PER_S);
        forwardNs = new double[slices];
        backwardNs = new double[slices];
        wanderNs = new double[slices];
    }

    /** Adds bursts of load, of up to a second, to one direction or both. */
    SimulatedRun load(int bursts, double greatestNs) {
        for (int i = 0; i < bursts; i++) {
            int from = random.nextInt(forwardNs.length);
            int until = Math.min(forwardNs.length, from + 1 + random.nextInt(SLICES_PER_S));
            int directions = 1 + random.nextInt(3);
            for (int slice = from; slice < until; slice++) {
                forwardNs[slice] += (directions & 1) == 0 ? 0 : random.nextDouble() * greatestNs;
                backwardNs[slice] += (directions & 2) == 0 ? 0 : random.nextDouble() * greatestNs;
            }
        }
        return this;
    }

    /** Makes one direction longer, or shorter, from a random time on. */
    SimulatedRun changePath(double ns) {
        double[] direction = random.nextBoolean() ? forwardNs : backwardNs;
        int from = random.nextInt(direction.length);
        for (int slice = from; slice < direction.length; slice++) {
            direction[slice] += ns;
        }
        return this;
    }

    /** Changes the rate of the receiver's clock by up to {@code ppm} every 0.1 s. */
    SimulatedRun wander(double ppm) {
        double rate = 0;
        for (int slice = 1; slice < wanderNs.length; slice++) {
            if (slice % (SLICES_PER_S / 10) == 0) {
                rate = ppm * 1e-6 * (2 * random.nextDouble() - 1);
            }
            wanderNs[slice] = wanderNs[slice - 1] + rate * 1e9 / SLICES_PER_S;
        }
        return this;
    }

    SimulatedRun step(double atNs, double sizeNs, boolean bySender) {
        clocks.steps.add(new SimulatedClocks.Step(atNs, sizeNs, bySender));
        return this;
    }

    /** Writes the captures into a new directory, and finds the steps that they show. */
    List<StampStep> findSteps(Path directory) throws Exception {
        SessionFixture session = new SessionFixture(Files.createTempDirectory(directory, "session"));
        TwoWayStamps stamps = write(session.run("0001-udp-24-r1", "udp", 24));
        try (JoinedRun run = JoinedRun.open(session.path().resolve("runs/0001-udp-24-r1"))) {
            return StepSearch.find(run, stamps, List.of());
        }
    }

    private void makePackets() {
        packets = new long[(int) (seconds * 1e9 / INTERVAL_NS)][];
        trueLagsNs = new double[packets.length];
        for (int i = 0; i < packets.length; i++) {
            double at = i * INTERVAL_NS;
            trueLagsNs[i] = delayNs(clocks.forwardNs, forwardNs, at) + hostsNs + clocks.queue();
            packets[i] = new long[] {clocks.sender(at), receiver(at + trueLagsNs[i])};
        }
    }

    /** Writes the captures of a run with these packets and exchanges. */
    TwoWayStamps write(RunFixture run) throws Exception {
        makePackets();
        TwoWayStamps stamps = exchanges();
        run.sent(Arrays.stream(packets)
                        .mapToLong(packet -> packet[0] - SessionFixture.EPOCH_NS)
                        .toArray())
                .received(IntStream.range(0, packets.length)
                        .mapToObj(i -> new long[] {i, packets[i][1] - SessionFixture.EPOCH_NS})
                        .toArray(long[][]::new))
                .twoWay(stamps.exchanges())
                .write();
        return stamps;
    }

    TwoWayStamps exchanges() {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            times.add(-50e6 + i * 1e6);
        }
        for (int second = 0; second < seconds; second++) {
            for (int i = 0; i < exchangesEachSecond; i++) {
                times.add(second * 1e9 + i * (exchangesEachSecond > 4 ? 1e9 / exchangesEachSecond : 500e3));
            }
        }
        for (int i = 0; i < 20; i++) {
            times.add(seconds * 1e9 + 20e6 + i * 1e6);
        }
        List<TwoWayExchange> exchanges = new ArrayList<>();
        for (double at : times) {
            double there = at + delayNs(PATH_NS, forwardNs, at) + clocks.queue() + clocks.queue();
            double answered = there + 20_000 + clocks.queue();
            double back = answered + delayNs(PATH_NS, backwardNs, answered) + clocks.queue() + clocks.queue();
            exchanges.add(
                    new TwoWayExchange(clocks.sender(at), receiver(there), receiver(answered), clocks.sender(back)));
        }
        return new TwoWayStamps(exchanges);
    }

    private long receiver(double ns) {
        return clocks.receiver(ns) + Math.round(at(wanderNs, ns));
    }

    /** Returns the delay of a path without queues, which is never less than the speed of light allows. */
    private static double delayNs(double pathNs, double[] changes, double ns) {
        return Math.max(MIN_DELAY_NS, pathNs + at(changes, ns));
    }

    /** Interpolates the values, one for each slice of time, at a time. */
    private static double at(double[] values, double ns) {
        double place = (ns + 1e9) / 1e9 * SLICES_PER_S;
        int slice = (int) Math.max(0, Math.min(values.length - 2, place));
        double part = Math.min(1, place - slice);
        return values[slice] + part * (values[slice + 1] - values[slice]);
    }
}
