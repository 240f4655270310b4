package org.lagbench.runner.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.lagbench.runner.monitor.Monitor.Schedule;

class ScheduleTest {
    private static final long S = 1_000_000_000;
    private static final long START_NS = 1_769_860_800 * S;

    @Test
    void doesNotDriftInAYear() {
        Schedule schedule = new Schedule(START_NS, 12 * S, 0, 1);

        assertThat(schedule.dueNs(0, 0)).isEqualTo(START_NS);
        assertThat(schedule.dueNs(2_628_000, 0)).isEqualTo(START_NS + 365L * 86_400 * S);
    }

    @Test
    void dividesWholeRoundIntoTurns() {
        Schedule schedule = new Schedule(START_NS, 10, 0, 3);

        for (int turn = 0; turn < 3; turn++) {
            long next = turn == 2 ? schedule.dueNs(1, 0) : schedule.dueNs(0, turn + 1);
            assertThat(schedule.endNs(0, turn)).isEqualTo(next);
            assertThat(next).isBetween(schedule.dueNs(0, turn) + 3, schedule.dueNs(0, turn) + 4);
        }
        assertThat(schedule.dueNs(1, 0)).isEqualTo(START_NS + 10);
    }

    @Test
    void jitterIsWithinItsRangeAndRepeatable() {
        Schedule schedule = new Schedule(START_NS, 12 * S, 2 * S, 5);
        Schedule plain = new Schedule(START_NS, 12 * S, 0, 5);
        long sum = 0;

        for (long round = 0; round < 1_000; round++) {
            long jitter = schedule.dueNs(round, 3) - plain.dueNs(round, 3);
            assertThat(jitter).isBetween(0L, 2 * S - 1);
            assertThat(schedule.dueNs(round, 3)).isEqualTo(schedule.dueNs(round, 3));
            sum += jitter;
        }

        assertThat(sum / 1_000).isBetween(S - S / 10, S + S / 10);
    }

    @Test
    void swapsPairsFromRoundToRound() {
        assertThat(Schedule.probeAt(0, 0, 2)).isZero();
        assertThat(Schedule.probeAt(0, 1, 2)).isEqualTo(1);
        assertThat(Schedule.probeAt(1, 0, 2)).isEqualTo(1);
        assertThat(Schedule.probeAt(1, 1, 2)).isZero();
    }

    @Test
    void refusesJitterLongerThanTurn() {
        assertThatThrownBy(() -> new Schedule(START_NS, 12 * S, 3 * S, 5)).isInstanceOf(IllegalArgumentException.class);
    }
}
