package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.packetio.linux.RecordedPackets;
import org.lagbench.packetio.transport.DatagramMarks;

class MarkedArrivalsTest {
    private static final int CAPACITY = 4;
    private static final int MARK = 0x8000_0001;
    private static final int OTHER = -1;

    private final DatagramMarks reads = new DatagramMarks(25);

    /** Returns the time of a packet that the receiver passes on now. */
    private long now() {
        long nowNs = RealtimeClock.nowNs();
        while (RealtimeClock.nowNs() == nowNs) {
            Thread.onSpinWait();
        }
        return nowNs;
    }

    private static RecordedPackets recorded(int mark, long... atNs) {
        return consumer -> {
            for (long ns : atNs) {
                consumer.accept(ns, mark, 1_000, 0);
            }
        };
    }

    private long arrivedNs(RecordedPackets recorded, long receivedNs) {
        return MarkedArrivals.of(recorded, reads).arrivedNs(0, receivedNs);
    }

    @Test
    void areThoseOfTheDatagramReadLast() {
        long beforeNs = now();
        reads.arm(CAPACITY);
        reads.add(MARK);
        long firstNs = now();
        reads.add(OTHER);
        long secondNs = now();
        RecordedPackets first = recorded(MARK, beforeNs);
        assertThat(arrivedNs(first, beforeNs)).isEqualTo(PacketArrivals.UNKNOWN);
        assertThat(arrivedNs(first, firstNs)).isEqualTo(beforeNs);
        assertThat(arrivedNs(first, secondNs)).isEqualTo(PacketArrivals.UNKNOWN);
        assertThat(arrivedNs(recorded(OTHER, firstNs), secondNs)).isEqualTo(firstNs);
    }

    @Test
    void areUnknownIfTwoDatagramsHaveTheMark() {
        long beforeNs = now();
        reads.arm(CAPACITY);
        reads.add(MARK);
        assertThat(arrivedNs(recorded(MARK, beforeNs, beforeNs - 1), now())).isEqualTo(PacketArrivals.UNKNOWN);
    }

    @Test
    void areUnknownIfTheDatagramArrivedAfterItsRead() {
        reads.arm(CAPACITY);
        reads.add(MARK);
        long afterNs = now();
        assertThat(arrivedNs(recorded(MARK, afterNs), afterNs)).isEqualTo(PacketArrivals.UNKNOWN);
    }

    @Test
    void areUnknownWhileReadsAreNotRecorded() {
        long beforeNs = now();
        RecordedPackets recorded = recorded(MARK, beforeNs);
        reads.add(MARK);
        reads.arm(CAPACITY);
        assertThat(arrivedNs(recorded, now())).isEqualTo(PacketArrivals.UNKNOWN);
        reads.add(MARK);
        long armedNs = now();
        reads.disarm();
        reads.add(OTHER);
        reads.add(OTHER);
        assertThat(reads.count()).isEqualTo(2);
        assertThat(arrivedNs(recorded, now())).isEqualTo(PacketArrivals.UNKNOWN);
        reads.arm(CAPACITY);
        assertThat(arrivedNs(recorded, armedNs)).isEqualTo(beforeNs);
    }

    @Test
    void areUnknownWhenTheMemoryIsFull() {
        long beforeNs = now();
        reads.arm(CAPACITY);
        for (int i = 0; i < CAPACITY + 1; i++) {
            reads.add(MARK + i);
        }
        long fullNs = now();
        assertThat(reads.count()).isEqualTo(CAPACITY);
        assertThat(arrivedNs(recorded(MARK + CAPACITY - 1, beforeNs), fullNs)).isEqualTo(PacketArrivals.UNKNOWN);
        assertThat(arrivedNs(recorded(MARK, beforeNs), reads.passedNs(0))).isEqualTo(beforeNs);
    }
}
