package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CycleGapsTest {
    private final Ieee1394Receiver.CycleGaps gaps = new Ieee1394Receiver.CycleGaps();

    @Test
    void doesNotCountGapIfEachCycleHasPacket() {
        gaps.packet(0, 17);
        gaps.packet(1, 18);
        gaps.packet(2, 19);

        assertThat(gaps.count()).isZero();
    }

    @Test
    void countsCyclesBetweenRecordedPackets() {
        gaps.packet(0, 100);
        gaps.packet(1, 102);
        gaps.packet(2, 110);

        assertThat(gaps.count()).isEqualTo(1 + 7);
    }

    @Test
    void skipsCyclesBeforeTheFirstRecordedPacket() {
        gaps.packet(-2, 5);
        gaps.packet(-1, 50);
        gaps.packet(0, 500);
        gaps.packet(1, 502);

        assertThat(gaps.count()).isEqualTo(1);
    }

    @Test
    void skipsCyclesAfterTheLastRecordedPacket() {
        gaps.packet(0, 500);
        gaps.packet(1, 502);
        gaps.packet(-12, 600);
        gaps.packet(-11, 700);

        assertThat(gaps.count()).isEqualTo(1);
    }

    @Test
    void countsAcrossTheWrapOfCycleNumbers() {
        gaps.packet(0, 1_023_998);
        gaps.packet(1, 1);
        gaps.packet(2, 2);

        assertThat(gaps.count()).isEqualTo(2);
    }
}
