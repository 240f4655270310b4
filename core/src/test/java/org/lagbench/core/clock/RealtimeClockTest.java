package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class RealtimeClockTest {
    @Test
    void readsSameClockAsInstant() {
        for (int i = 0; i < 10_000; i++) {
            long before = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
            long now = RealtimeClock.nowNs();
            long after = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
            assertThat(now).isBetween(before, after);
        }
    }

    @Test
    void isFinerThanAMicrosecond() {
        long atWholeMicroseconds = 0;
        for (int i = 0; i < 1_000; i++) {
            atWholeMicroseconds += RealtimeClock.nowNs() % 1_000 == 0 ? 1 : 0;
        }
        assertThat(atWholeMicroseconds).isLessThan(500);
    }

    @Test
    void allocatesNothingWithProgramOptions() {
        assertThat(RealtimeClock.isAllocationFree()).isTrue();
    }
}
