package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.statistics.Interval;

/** Sends trains over a simulated link of 100 Mb/s with a competing flow of 40 Mb/s: 60 Mb/s are available. */
class PacketTrainTest {
    private static final int IP_BYTES = 1_250;
    private static final double LINK_BITS_PER_S = 100e6;
    private static final double COMPETING_BITS_PER_S = 40e6;
    private static final double PACKET_NS = IP_BYTES * 8 * 1e9 / LINK_BITS_PER_S;
    private static final double QUEUE_NS = 100 * PACKET_NS;
    private static final long CLOCK_OFFSET_NS = -3_000_000_000L;

    @ParameterizedTest
    @ValueSource(doubles = {1e6, 20e6, 50e6, 57e6})
    void carriesRateBelowAvailable(double bitsPerS) {
        PacketTrain train = new Simulation(bitsPerS).run();
        assertThat(train.isTooFast()).isFalse();
        assertThat(train.isDisturbed()).isFalse();
        assertThat(train.lostShare()).isZero();
        assertThat(train.receivedBitsPerS()).isCloseTo(bitsPerS, within(0.02 * bitsPerS));
    }

    /** At 63 Mb/s, the lag grows by 30 µs per ms, and the queue never becomes full. */
    @ParameterizedTest
    @ValueSource(doubles = {63e6, 80e6, 200e6, 900e6})
    void findsQueueAboveAvailable(double bitsPerS) {
        PacketTrain train = new Simulation(bitsPerS).run();
        assertThat(train.isTooFast()).isTrue();
        assertThat(train.isTooFastForNetwork()).isTrue();
    }

    @Test
    void measuresRateOfLinkWithoutCompetingFlow() {
        Simulation simulation = new Simulation(120e6);
        simulation.competingBitsPerS = 1;
        Interval received = simulation.run().receivedInterval();
        assertThat(received.value()).isCloseTo(LINK_BITS_PER_S, within(1e6));
        assertThat(received.low()).isLessThanOrEqualTo(received.value());
        assertThat(received.high()).isGreaterThanOrEqualTo(received.value());
    }

    /** A call that receives several packets gives them one stamp, here those of the whole pause. */
    @Test
    void measuresRateIfPartOfTrainArrivesAtOnce() {
        Simulation simulation = new Simulation(1e6);
        simulation.pauseFromNs = 200_000_000;
        simulation.pauseToNs = 350_000_000;
        Interval received = simulation.run().receivedInterval();
        assertThat(received.low()).isBetween(0.0, received.value());
        assertThat(received.high()).isGreaterThanOrEqualTo(received.value());
    }

    @Test
    void keepsResultAcrossPauseOfReceiver() {
        Simulation simulation = new Simulation(50e6);
        simulation.pauseFromNs = 200_000_000;
        simulation.pauseToNs = 350_000_000;
        PacketTrain train = simulation.run();
        assertThat(train.isTooFast()).isFalse();
        assertThat(train.isDisturbed()).isTrue();
    }

    /** At 66 Mb/s, the lag grows by 60 µs per ms. */
    @Test
    void findsQueueAcrossPauseOfReceiver() {
        Simulation simulation = new Simulation(66e6);
        simulation.pauseFromNs = 200_000_000;
        simulation.pauseToNs = 300_000_000;
        assertThat(simulation.run().isTooFast()).isTrue();
    }

    @Test
    void distinguishesSlowSenderFromFullNetwork() {
        Simulation simulation = new Simulation(50e6);
        simulation.senderBitsPerS = 30e6;
        PacketTrain train = simulation.run();
        assertThat(train.isTooFast()).isTrue();
        assertThat(train.isTooFastForNetwork()).isFalse();
    }

    @Test
    void measuresRangeOfDelay() {
        assertThat(new Simulation(50e6).run().delayRangeNs()).isLessThan(2 * PACKET_NS);
        assertThat(new Simulation(200e6).run().delayRangeNs()).isGreaterThan(0.5 * QUEUE_NS);
    }

    /** A FIFO link. The competing packets have the same size and are evenly spaced. */
    private static final class Simulation {
        private final double bitsPerS;
        private double competingBitsPerS = COMPETING_BITS_PER_S;
        private double senderBitsPerS = Double.POSITIVE_INFINITY;
        private long pauseFromNs = Long.MAX_VALUE;
        private long pauseToNs = Long.MAX_VALUE;

        private Simulation(double bitsPerS) {
            this.bitsPerS = bitsPerS;
        }

        PacketTrain run() {
            double intervalNs = IP_BYTES * 8 * 1e9 / bitsPerS;
            double sendNs = Math.max(intervalNs, IP_BYTES * 8 * 1e9 / senderBitsPerS);
            double competingNs = IP_BYTES * 8 * 1e9 / competingBitsPerS;
            int packets = Math.max(100, (int) (0.5e9 / intervalNs));
            long[] scheduledNs = new long[packets];
            long[] sentNs = new long[packets];
            long[] receivedNs = new long[packets];
            double freeNs = 0;
            double nextCompetingNs = 0;
            for (int i = 0; i < packets; i++) {
                double atNs = i * sendNs;
                for (; nextCompetingNs <= atNs; nextCompetingNs += competingNs) {
                    freeNs = pass(freeNs, nextCompetingNs);
                }
                scheduledNs[i] = 1_000_000_000_000L + (long) (i * intervalNs);
                sentNs[i] = 1_000_000_000_000L + (long) atNs;
                double leftNs = pass(freeNs, atNs);
                if (leftNs > freeNs) {
                    freeNs = leftNs;
                    long arrivesNs = (long) leftNs + 5_000_000;
                    boolean isPaused = arrivesNs >= pauseFromNs && arrivesNs < pauseToNs;
                    receivedNs[i] = 1_000_000_000_000L + CLOCK_OFFSET_NS + (isPaused ? pauseToNs : arrivesNs);
                }
            }
            return new PacketTrain(scheduledNs, sentNs, receivedNs, IP_BYTES);
        }

        /** Returns the time from which the link is free after a packet; unchanged if the queue was full. */
        private static double pass(double freeNs, double atNs) {
            return freeNs - atNs > QUEUE_NS ? freeNs : Math.max(freeNs, atNs) + PACKET_NS;
        }
    }
}
