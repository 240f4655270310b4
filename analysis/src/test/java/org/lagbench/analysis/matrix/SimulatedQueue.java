package org.lagbench.analysis.matrix;

import java.util.Random;
import java.util.stream.IntStream;
import org.lagbench.analysis.capacity.PacketTrain;

/**
 * The queuing delay at a link over time, in steps of 1 ms. Sources send bursts with exponential lengths and pauses.
 * Traffic above the rate is queued. Traffic beyond the queue's capacity is lost.
 */
final class SimulatedQueue {
    static final int SECONDS = 90;
    private static final int STEPS = SECONDS * 1_000;
    private static final int SOURCES = 5;
    private static final double MEAN_BURST_MS = 150;
    private static final double LONGEST_MS = 60;

    private final double[] waitMs = new double[STEPS];

    /**
     * Simulates a queue.
     *
     * @param load the mean load as a share of the rate
     */
    SimulatedQueue(Random random, double load) {
        boolean[] isOn = new boolean[SOURCES];
        int[] changes =
                IntStream.range(0, SOURCES).map(source -> length(random)).toArray();
        double share = 2 * load / SOURCES; // each source sends for half of the time
        double wait = 0;
        for (int step = 0; step < STEPS; step++) {
            double arrived = 0;
            for (int source = 0; source < SOURCES; source++) {
                if (step == changes[source]) {
                    isOn[source] ^= true;
                    changes[source] += 1 + length(random);
                }
                arrived += isOn[source] ? share : 0;
            }
            wait = Math.min(LONGEST_MS, Math.max(0, wait + arrived - 1));
            waitMs[step] = wait;
        }
    }

    /** Returns the number of steps before the one at which a burst or pause ends. */
    private static int length(Random random) {
        return (int) (Math.log(1 - random.nextDouble()) / Math.log1p(-1 / MEAN_BURST_MS));
    }

    /** Returns the queuing delay of a packet that arrives at this time. */
    double waitMs(double atMs) {
        return waitMs[(int) Math.min(STEPS - 1, Math.max(0, atMs))];
    }

    /**
     * Returns the packets of a flow through queues.
     *
     * @param beforeMs delay between the sender and the queues
     * @param offsetMs offset of the receiver's clock
     */
    static PacketTrain flow(Random random, double beforeMs, double offsetMs, SimulatedQueue... queues) {
        int packets = SECONDS * 100;
        long[] sent = new long[packets];
        long[] received = new long[packets];
        for (int i = 0; i < packets; i++) {
            double atMs = i * 10 + random.nextDouble();
            sent[i] = 1_700_000_000_000_000_000L + (long) (atMs * 1e6);
            double lagMs = beforeMs + offsetMs - 0.05 * Math.log(1 - random.nextDouble());
            for (SimulatedQueue queue : queues) {
                lagMs += queue.waitMs(atMs + beforeMs);
            }
            received[i] = random.nextInt(1_000) == 0 ? 0 : sent[i] + (long) (lagMs * 1e6);
        }
        return new PacketTrain(sent, sent, received, 0);
    }
}
