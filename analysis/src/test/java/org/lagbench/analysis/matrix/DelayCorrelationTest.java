package org.lagbench.analysis.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.capacity.PacketTrain;

/** Tests verdicts on flows over simulated queues, some of which are shared. */
@Tag("one-java") // takes seconds
class DelayCorrelationTest {
    private static final int TOPOLOGIES = 24;

    private interface Topology {
        DelayCorrelation test(Random random, double load);
    }

    private static Map<Sharing, Integer> verdicts(Topology topology) {
        Map<Sharing, Integer> verdicts = new EnumMap<>(Sharing.class);
        for (int seed = 1; seed <= TOPOLOGIES; seed++) {
            double load = 0.85 + 0.25 * seed / TOPOLOGIES;
            verdicts.merge(topology.test(new Random(seed), load).sharing(), 1, Integer::sum);
        }
        return verdicts;
    }

    @Test
    void findsSharedQueueDespiteDelaysAndOffsets() {
        Map<Sharing, Integer> verdicts = verdicts((random, load) -> {
            SimulatedQueue shared = new SimulatedQueue(random, load);
            return DelayCorrelation.of(
                    SimulatedQueue.flow(random, 5, -30, shared), SimulatedQueue.flow(random, 165, 400, shared));
        });

        assertThat(verdicts).doesNotContainKey(Sharing.APART);
        assertThat(verdicts.getOrDefault(Sharing.SHARED, 0)).as("%s", verdicts).isGreaterThanOrEqualTo(23);
    }

    @Test
    void separatesQueuesWithSameLoad() {
        Map<Sharing, Integer> verdicts = verdicts((random, load) -> DelayCorrelation.of(
                SimulatedQueue.flow(random, 5, 0, new SimulatedQueue(random, load)),
                SimulatedQueue.flow(random, 5, 0, new SimulatedQueue(random, load))));

        assertThat(verdicts).doesNotContainKey(Sharing.SHARED);
        assertThat(verdicts.getOrDefault(Sharing.APART, 0)).as("%s", verdicts).isGreaterThanOrEqualTo(22);
    }

    @Test
    void isUncertainWithoutQueuedPackets() {
        Map<Sharing, Integer> verdicts = verdicts((random, load) -> {
            SimulatedQueue idle = new SimulatedQueue(random, 0.2);
            return DelayCorrelation.of(
                    SimulatedQueue.flow(random, 5, 0, idle), SimulatedQueue.flow(random, 5, 0, idle));
        });

        assertThat(verdicts).containsOnlyKeys(Sharing.UNCERTAIN);
    }

    @Test
    void isUncertainIfPacketsAreSentAsLateAsTheyAreDelayed() {
        Map<Sharing, Integer> verdicts = verdicts((random, load) -> DelayCorrelation.of(
                fromBusyHost(SimulatedQueue.flow(random, 5, 0, new SimulatedQueue(random, load))),
                fromBusyHost(SimulatedQueue.flow(random, 5, 0, new SimulatedQueue(random, load)))));

        assertThat(verdicts).containsOnlyKeys(Sharing.UNCERTAIN);
    }

    private static PacketTrain fromBusyHost(PacketTrain stream) {
        long[] scheduled = stream.sentNs().clone();
        for (int packet = 0; packet < scheduled.length; packet++) {
            scheduled[packet] -= stream.isLost(packet) ? 0 : (long) stream.lagNs(packet);
        }
        return new PacketTrain(scheduled, stream.sentNs(), stream.receivedNs(), 0);
    }

    /** After the shared queue, each flow passes a separate queue with little load. */
    @Test
    void errsAtMostOnceWithThreeTiers() {
        Map<Sharing, Integer> verdicts = verdicts((random, load) -> {
            SimulatedQueue shared = new SimulatedQueue(random, load);
            return DelayCorrelation.of(
                    SimulatedQueue.flow(random, 5, 0, shared, new SimulatedQueue(random, 0.6)),
                    SimulatedQueue.flow(random, 5, 0, shared, new SimulatedQueue(random, 0.6)));
        });

        assertThat(verdicts.getOrDefault(Sharing.APART, 0)).as("%s", verdicts).isLessThanOrEqualTo(1);
        assertThat(verdicts.getOrDefault(Sharing.SHARED, 0)).as("%s", verdicts).isGreaterThanOrEqualTo(20);
    }
}
